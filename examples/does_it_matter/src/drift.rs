//! Does a rotary score depend on the position when the distance stays the same?

use std::ops::Range;

use crate::change::share_of_different;
use crate::fallible::Fallible;
use crate::random::Random;
use crate::report::{Table, percent, short};
use crate::tables::{Formula, Recipe, SinCos, Stored};

/// Llama 3's, without a rule.
const BASE: f32 = 500_000.0;
const HEAD_DIM: usize = 128;
const DISTANCE: usize = 64;
/// The number of keys of a query: they are at the last positions, up to its own.
const KEYS: usize = 512;
const QUERIES: usize = 200;
pub const LAST: usize = 131_071;
/// The positions of queries, the first and the last among them.
const POSITIONS: [usize; 6] = [511, 1023, 4095, 16_383, 32_767, LAST];

const RECIPES: [(&str, Recipe); 6] = [
    ("exact", Recipe::EXACT),
    ("f32 recipe", Recipe::F32),
    ("f32 recurrence", Recipe::Recurrence),
    ("stored as bf16", Recipe::Exact(Stored::Bf16)),
    ("bf16 frequencies", Recipe::Bf16Frequencies),
    ("bf16 angles", Recipe::Bf16Angles),
];

/// What a recipe does at a position.
pub struct Point {
    pub recipe: &'static str,
    pub position: usize,
    /// The largest error of the table's row.
    pub error: f64,
    /// The root mean square of the change of scores of standard deviation 1, at the fixed distance, from those at the
    /// first position.
    pub moved: f64,
    /// The same from the scores of exact frequencies.
    pub wrong: f64,
    /// The share of queries with another key of the largest score than with the exact table.
    pub flips: f64,
}

pub fn run() -> Fallible<Vec<Point>> {
    let formula = Formula::rotary(HEAD_DIM, BASE)?;
    let heads = Heads::new();
    let views = |recipe| -> Fallible<Vec<View>> {
        POSITIONS.map(|position| heads.at(&formula, recipe, position)).into_iter().collect()
    };
    let exact = views(Recipe::EXACT)?;
    let mut points = Vec::new();
    for (recipe, arithmetic) in RECIPES {
        let own = views(arithmetic)?;
        for ((position, own_view), exact) in POSITIONS.into_iter().zip(&own).zip(&exact) {
            points.push(Point {
                recipe,
                position,
                error: own_view.last.apart(&exact.last),
                moved: apart(&own_view.scores, &own[0].scores),
                wrong: apart(&own_view.scores, &exact.scores),
                flips: share_of_different(&own_view.favourites, &exact.favourites),
            });
        }
    }
    Ok(points)
}

/// Random queries, and random keys.
struct Heads {
    queries: Vec<f64>,
    keys: Vec<f64>,
}

/// What the queries see at one position.
struct View {
    last: SinCos,
    /// The scores of the key at the fixed distance.
    scores: Vec<f64>,
    /// The keys of the largest scores.
    favourites: Vec<usize>,
}

impl Heads {
    fn new() -> Self {
        let mut random = Random::new(7);
        Self { queries: random.normals(QUERIES * HEAD_DIM), keys: random.normals(KEYS * HEAD_DIM) }
    }

    fn at(&self, formula: &Formula, recipe: Recipe, position: usize) -> Fallible<View> {
        let rows: Range<usize> = position + 1 - KEYS..position + 1;
        let table = formula.rows(recipe, rows)?;
        let rotate = |head: &[f64], row: usize| rotated(head, &table, row);
        let keys: Vec<_> = self.keys.chunks_exact(HEAD_DIM).enumerate().map(|(row, key)| rotate(key, row)).collect();
        let mut view = View { last: last(&table), scores: Vec::new(), favourites: Vec::new() };
        for query in self.queries.chunks_exact(HEAD_DIM) {
            let query = rotate(query, KEYS - 1);
            let scores: Vec<_> = keys.iter().map(|key| score(&query, key)).collect();
            view.scores.push(scores[KEYS - 1 - DISTANCE]);
            view.favourites.push((0..KEYS).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0));
        }
        Ok(view)
    }
}

fn last(table: &SinCos) -> SinCos {
    let row = |entries: &[f64]| entries[entries.len() - table.pairs..].to_vec();
    SinCos { pairs: table.pairs, sin: row(&table.sin), cos: row(&table.cos) }
}

fn rotated(head: &[f64], table: &SinCos, row: usize) -> Vec<f64> {
    let entries = |part: &[f64]| part[row * table.pairs..][..table.pairs].to_vec();
    let (sin, cos) = (entries(&table.sin), entries(&table.cos));
    let (a, b) = head.split_at(table.pairs);
    let first = (0..table.pairs).map(|k| a[k] * cos[k] - b[k] * sin[k]);
    first.chain((0..table.pairs).map(|k| a[k] * sin[k] + b[k] * cos[k])).collect()
}

fn score(query: &[f64], key: &[f64]) -> f64 {
    query.iter().zip(key).map(|(a, b)| a * b).sum::<f64>() / (HEAD_DIM as f64).sqrt()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    (a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / a.len() as f64).sqrt()
}

/// Returns the point of a recipe at a position.
pub fn find<'a>(points: &'a [Point], recipe: &str, position: usize) -> Fallible<&'a Point> {
    let found = points.iter().find(|point| (point.recipe, point.position) == (recipe, position));
    found.ok_or_else(|| format!("there is no point of `{recipe}` at {position}").into())
}

pub fn table(points: &[Point]) -> Table {
    let title = format!(
        "Scores of a rotary head, base {BASE}, at position {LAST}; the key of the first two is {DISTANCE} back:"
    );
    let columns = ["table", "error of the row", "score moved", "score wrong", "other key"];
    let mut table = Table::new(&title, &columns);
    for point in points.iter().filter(|point| point.position == LAST) {
        let numbers = [short(point.error), short(point.moved), short(point.wrong), percent(point.flips)];
        table.push([vec![point.recipe.to_owned()], numbers.to_vec()].concat());
    }
    table
}
