//! Small systems of linear equations, and of linear inequalities.

/// Returns the inverse of a symmetric matrix with a positive diagonal, whose rows may have different units.
fn inverse<const N: usize>(matrix: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let scale: [f64; N] = std::array::from_fn(|i| matrix[i][i].sqrt());
    if scale.iter().any(|&scale| scale.is_nan() || scale <= 0.0) {
        return None;
    }
    let mut left: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| matrix[i][j] / scale[i] / scale[j]));
    let mut right: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for i in 0..N {
        let pivot = (i..N).max_by(|&a, &b| left[a][i].abs().total_cmp(&left[b][i].abs()))?;
        left.swap(i, pivot);
        right.swap(i, pivot);
        let divisor = left[i][i];
        if divisor.abs() < 1e-13 {
            return None;
        }
        let rows = [&mut left, &mut right].map(|side| {
            side[i].iter_mut().for_each(|entry| *entry /= divisor);
            side[i]
        });
        for other in (0..N).filter(|&other| other != i) {
            let factor = left[other][i];
            for (side, row) in [&mut left, &mut right].into_iter().zip(rows) {
                (0..N).for_each(|j| side[other][j] -= factor * row[j]);
            }
        }
    }
    Some(std::array::from_fn(|i| std::array::from_fn(|j| right[i][j] / scale[i] / scale[j])))
}

/// The sums of weighted points whose solution brings some numbers nearest, each of which is linear in the unknowns.
pub(crate) struct Normal<const N: usize> {
    matrix: [[f64; N]; N],
    moment: [f64; N],
}

impl<const N: usize> Default for Normal<N> {
    fn default() -> Self {
        Self { matrix: [[0.0; N]; N], moment: [0.0; N] }
    }
}

impl<const N: usize> Normal<N> {
    /// Adds a number that is so far off.
    pub(crate) fn add(&mut self, weight: f64, slopes: &[f64; N], off: f64) {
        for i in 0..N {
            let weighted = weight * slopes[i];
            self.moment[i] += weighted * off;
            (0..N).for_each(|j| self.matrix[i][j] += weighted * slopes[j]);
        }
    }

    /// Returns the inverse of the matrix, and the changes of the unknowns. Those that are not free do not change.
    pub(crate) fn solved(mut self, is_free: impl Fn(usize) -> bool) -> Option<([[f64; N]; N], [f64; N])> {
        for i in (0..N).filter(|&i| !is_free(i)) {
            (0..N).for_each(|j| (self.matrix[i][j], self.matrix[j][i]) = (0.0, 0.0));
            (self.matrix[i][i], self.moment[i]) = (1.0, 0.0);
        }
        let inverse = inverse(self.matrix)?;
        Some((inverse, inverse.map(|row| product(&row, &self.moment))))
    }
}

pub(crate) fn product<const N: usize>(one: &[f64; N], other: &[f64; N]) -> f64 {
    (0..N).map(|i| one[i] * other[i]).sum()
}

/// The points `x` with `slopes * x <= most`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace<const N: usize> {
    pub(crate) slopes: [f64; N],
    pub(crate) most: f64,
}

/// All coordinates are searched up to this size. Those that are free to be larger are not determined.
pub(crate) const FURTHEST: f64 = 1e6;

/// How far outside a half-space a point in it may be computed to be.
const SLACK: f64 = 1e-7;

impl<const N: usize> HalfSpace<N> {
    fn has(&self, x: &[f64; N]) -> bool {
        product(&self.slopes, x) <= self.most + SLACK
    }

    /// Returns the part of it in the plane that bounds another one, without the coordinate `i`.
    fn within(&self, plane: &Self, i: usize) -> Self {
        let factor = self.slopes[i] / plane.slopes[i];
        let slope = |j| if j == i { 0.0 } else { self.slopes[j] - factor * plane.slopes[j] };
        Self { slopes: std::array::from_fn(slope), most: self.most - factor * plane.most }
    }

    fn side(i: usize, sign: f64) -> Self {
        Self { slopes: std::array::from_fn(|j| if i == j { sign } else { 0.0 }), most: FURTHEST }
    }
}

/// Returns the point furthest towards `goal` that is in all half-spaces, if there is one. Only the coordinates `free` are not 0.
///
/// This is Seidel's algorithm: a half-space without the best point so far has the new one on its boundary. It takes a time
/// proportional to the number of half-spaces if they come in no particular order.
pub(crate) fn furthest<const N: usize>(all: &[HalfSpace<N>], free: &[usize], goal: [f64; N]) -> Option<[f64; N]> {
    let mut best: [f64; N] = std::array::from_fn(|i| if free.contains(&i) { FURTHEST.copysign(goal[i]) } else { 0.0 });
    for (count, plane) in all.iter().enumerate() {
        if plane.has(&best) {
            continue;
        }
        let &pivot = free.iter().max_by(|&&a, &&b| plane.slopes[a].abs().total_cmp(&plane.slopes[b].abs()))?;
        if plane.slopes[pivot].abs() < 1e-9 {
            return None;
        }
        let sides = [HalfSpace::side(pivot, 1.0), HalfSpace::side(pivot, -1.0)];
        let within: Vec<_> = sides.iter().chain(&all[..count]).map(|other| other.within(plane, pivot)).collect();
        let others: Vec<_> = free.iter().copied().filter(|&i| i != pivot).collect();
        best = furthest(&within, &others, HalfSpace { slopes: goal, most: 0.0 }.within(plane, pivot).slopes)?;
        best[pivot] = (plane.most - product(&plane.slopes, &best)) / plane.slopes[pivot];
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_a_matrix() {
        let matrix = [[4e6, 2e3, 0.0], [2e3, 3.0, 1.0], [0.0, 1.0, 2.0]];
        let inverse = inverse(matrix).unwrap();
        for (i, row) in matrix.iter().enumerate() {
            let columns: [[f64; 3]; 3] = std::array::from_fn(|j| inverse.map(|row| row[j]));
            for (j, column) in columns.iter().enumerate() {
                let off = product(row, column) - f64::from(u8::from(i == j));
                assert!(off.abs() < 1e-9, "{i} {j} {off}");
            }
        }
        assert_eq!(super::inverse([[1.0, 1.0], [1.0, 1.0]]), None);
    }

    #[test]
    fn the_corner_of_a_cube_that_is_turned() {
        // |x + y| <= 1, |x - y| <= 1, |z - x| <= 2
        let both =
            |slopes: [f64; 3], most| [HalfSpace { slopes, most }, HalfSpace { slopes: slopes.map(|s| -s), most }];
        let all = [both([1.0, 1.0, 0.0], 1.0), both([1.0, -1.0, 0.0], 1.0), both([-1.0, 0.0, 1.0], 2.0)].concat();
        let at = |goal: [f64; 3], free: &[usize]| product(&goal, &furthest(&all, free, goal).unwrap());
        let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-6, "{one} {other}");
        near(at([1.0, 0.0, 0.0], &[0, 1, 2]), 1.0);
        near(at([0.0, 0.0, -1.0], &[0, 1, 2]), 3.0);
        near(at([0.0, 0.0, 1.0], &[1, 2]), 2.0);
        assert!(
            furthest(&[all, vec![HalfSpace { slopes: [-1.0, 0.0, 0.0], most: -1.5 }]].concat(), &[0, 1, 2], [1.0; 3])
                .is_none()
        );
        let free = furthest(&both([1.0, 0.0, 0.0], 1.0), &[0, 1], [0.0, 1.0, 0.0]).unwrap();
        near(free[1], FURTHEST);
    }
}
