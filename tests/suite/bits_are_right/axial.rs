//! Rotary tables of several axes: the presets against their models, and the layouts against the caches of the axes.

use std::collections::BTreeMap;

use posenc::{AxialNest, AxialPreset, AxialRest, AxialRope, CosSin, Packing, Repeat, Rope, Table};

use testkit::{Lcg, bits_of, cases};

/// Entries of a preset, each with its row, its pair, and the bits of the cosine and the sine as `f32` and as `f64`.
type Entries = Vec<(usize, usize, Vec<u64>)>;

/// The tables of a preset for a shape.
fn tables(preset: AxialPreset, shape: &[usize], head_dim: usize) -> (CosSin<Table<f32>>, CosSin<Table<f64>>) {
    fn of<const A: usize>(
        preset: AxialPreset,
        shape: &[usize],
        head_dim: usize,
    ) -> (CosSin<Table<f32>>, CosSin<Table<f64>>) {
        let rope = AxialRope::preset(preset, std::array::from_fn::<_, A, _>(|axis| shape[axis]), head_dim);
        let rope = if preset == AxialPreset::Eva02 { rope.extent(16, 1) } else { rope };
        (rope.table().unwrap(), rope.table().unwrap())
    }
    match shape.len() {
        2 => of::<2>(preset, shape, head_dim),
        3 => of::<3>(preset, shape, head_dim),
        _ => of::<4>(preset, shape, head_dim),
    }
}

/// The file has a line per entry, by `scripts/golden_axial.py`.
#[test]
fn the_tables_of_models_are_those_of_their_code() {
    let mut models: BTreeMap<(&str, &str, usize), Entries> = BTreeMap::new();
    for line in include_str!("golden/axial.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split(' ').collect();
        let [head_dim, row, pair] = [2, 3, 4].map(|i| words[i].parse().unwrap());
        let bits = words[5..].iter().map(|bits| u64::from_str_radix(bits, 16).unwrap()).collect();
        models.entry((words[0], words[1], head_dim)).or_default().push((row, pair, bits));
    }
    assert_eq!(models.len(), AxialPreset::ALL.len());
    let mut entries = 0;
    for ((preset, shape, head_dim), of_model) in models {
        let shape: Vec<_> = shape.split('x').map(|points| points.parse().unwrap()).collect();
        let (narrow, wide) = tables(preset.parse().unwrap(), &shape, head_dim);
        for (row, pair, expected) in of_model {
            let at = (row, pair);
            let narrow = [narrow.cos[at], narrow.sin[at]].map(|entry| u64::from(entry.to_bits()));
            let wide = [wide.cos[at], wide.sin[at]].map(f64::to_bits);
            assert_eq!([narrow, wide].as_flattened(), expected, "{preset} {shape:?}: row {row}, pair {pair}");
            entries += 4;
        }
    }
    assert_eq!(entries, 4748);
}

#[test]
fn every_preset_has_its_facts() {
    for &preset in AxialPreset::ALL {
        assert!(preset.head_dim() >= 64 && preset.source().len() > 10 && !preset.models().is_empty(), "{preset}");
        assert_eq!(preset.to_string().parse(), Ok(preset));
    }
}

/// The cosine and the sine of one pair of columns of a head.
type Pair = [u64; 2];

/// Returns the pairs of a point in the order of the columns of a head, from the caches of the axes.
fn pairs<const A: usize>(rope: &AxialRope<A>, point: [f64; A], identities: usize) -> Vec<Vec<Pair>> {
    let parameters = rope.parameters();
    let of_axis = |axis: usize| {
        let cache = rope.axis(axis).unwrap();
        let (mut cos, mut sin) = (vec![0f64; cache.pairs()], vec![0f64; cache.pairs()]);
        cache.encode(point[axis], &mut cos, &mut sin).unwrap();
        cos.into_iter().zip(sin).map(|(cos, sin)| [cos.to_bits(), sin.to_bits()]).collect::<Vec<_>>()
    };
    let mut axes: Vec<_> = parameters
        .first
        .into_iter()
        .filter(|axis| rope.axis(*axis).is_ok_and(|cache: Rope| cache.pairs() > 0))
        .map(of_axis)
        .collect();
    let identity = vec![[1f64.to_bits(), 0]; identities];
    match parameters.rest {
        AxialRest::IdentityFirst => axes.insert(0, identity),
        _ => axes.push(identity),
    }
    match parameters.nest {
        AxialNest::Blocks => axes,
        AxialNest::Frequencies => {
            let count = axes[0].len();
            let of_all = |k: usize| axes.iter().filter_map(move |axis| axis.get(k).copied());
            vec![(0..count).flat_map(of_all).collect()]
        }
    }
}

/// Returns a row of a table, from the pairs of the axes.
fn row(axes: &[Vec<Pair>], repeat: Repeat, packing: Packing) -> Vec<u64> {
    let all: Vec<Pair> = axes.concat();
    let repeated: Vec<Pair> = match repeat {
        Repeat::None => all,
        Repeat::Halves => [all.clone(), all].concat(),
        Repeat::Pairs => all.into_iter().flat_map(|pair| [pair; 2]).collect(),
        Repeat::AxisHalves => axes.iter().flat_map(|axis| [axis.clone(), axis.clone()].concat()).collect(),
    };
    let column = |function: usize| repeated.iter().map(|pair| pair[function]).collect::<Vec<_>>();
    match packing {
        Packing::Cos => column(0),
        Packing::Sin => column(1),
        Packing::CosSin => [column(0), column(1)].concat(),
        Packing::SinCos => [column(1), column(0)].concat(),
        Packing::Complex => repeated.concat(),
    }
}

fn check<const A: usize>(random: &mut Lcg) {
    let mut axes: [usize; A] = std::array::from_fn(|axis| axis);
    for i in (1..A).rev() {
        axes.swap(i, random.index(i + 1));
    }
    let nest = random.of(AxialNest::ALL);
    let width = 2 + 2 * random.index(3);
    let mut widths: [usize; A] =
        std::array::from_fn(|_| if nest == AxialNest::Frequencies { width } else { 2 + 2 * random.index(4) });
    if A > 1 && random.one_in(4) {
        widths[random.index(A)] = 0;
    }
    let rest = if nest == AxialNest::Frequencies { AxialRest::Reject } else { random.of(AxialRest::ALL) };
    let identities = if rest == AxialRest::Reject { 0 } else { random.index(4) };
    let rotary_dim = widths.iter().sum::<usize>() + 2 * identities;
    let repeat = random.of(Repeat::ALL);
    let repeat = if nest == AxialNest::Frequencies && repeat == Repeat::AxisHalves { Repeat::Halves } else { repeat };
    let rope =
        AxialRope::new([3; A], rotary_dim + 2 * random.index(3)).rotary_dim(rotary_dim).widths(widths).rest(rest);
    let rope = rope.first(axes).nest(nest).repeat(repeat).base(std::array::from_fn(|_| random.of([100.0, 1e4])));
    let rope = rope.freq_offset(std::array::from_fn(|_| random.of([(0, 1), (1, 2), (2, 3)])));
    let point = std::array::from_fn(|_| random.float_position(false));
    let pairs = pairs(&rope, point, identities);
    for &packing in Packing::ALL {
        let wanted = row(&pairs, repeat, packing);
        let grid = rope.packed(packing).unwrap();
        let mut found = vec![0f64; grid.d_model()];
        grid.encode(point, &mut found).unwrap();
        assert_eq!(bits_of(&found), wanted, "{rope} {packing}");
    }
}

#[test]
fn each_layout_has_the_caches_of_the_axes() {
    let mut random = Lcg::new(9);
    for _ in 0..cases(100) {
        check::<1>(&mut random);
        check::<2>(&mut random);
        check::<3>(&mut random);
        check::<4>(&mut random);
    }
}
