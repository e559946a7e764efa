//! The rotary tables of several axes of known models.

use core::f64::consts::TAU;

use crate::axial::AxialRope;
use crate::axial::preset::AxialPreset;
use crate::grid::values::{Widths, integer};
use crate::spec::axial_choices::{AxialNest, AxialRest};
use crate::spec::choices::FrequencyDtype;
use crate::spec::scaling::Scaling;

impl<const A: usize> AxialRope<'static, A> {
    /// Creates the table of a known model, for images or videos of this shape and heads of this width.
    ///
    /// The shape has the axes of the preset. If their number differs, making the table is an error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let wan = AxialRope::preset(AxialPreset::Wan, [13, 30, 52], 128);
    /// assert_eq!(wan.to_string(), "rotary_table!((13, 30, 52), 128, widths = (44, 42, 42))");
    /// ```
    pub const fn preset(preset: AxialPreset, shape: [usize; A], head_dim: usize) -> Self {
        let mut rope = Self::new(shape, head_dim);
        rope.preset = Some(preset);
        let Some(names) = preset.names(A) else { return rope };
        rope = rope.with(rope.grid.named(names));
        match preset {
            AxialPreset::Qwen2VlVision | AxialPreset::Lumina2 => rope,
            AxialPreset::Lfm3VlVision => rope.base([1e6; A]),
            AxialPreset::MuseVision | AxialPreset::PeVision => rope.width_first().start([1; A]),
            AxialPreset::Gemma4Vision | AxialPreset::RopeVit => rope.width_first().base([100.0; A]),
            AxialPreset::Inkling2Vision => rope.width_first().start([1; A]).identity_rows(1),
            AxialPreset::KimiK25Vision => rope.width_first().nest(AxialNest::Frequencies),
            AxialPreset::MiniMaxM3Vision => rope.rotary_dim(head_dim / 6 * 6),
            AxialPreset::Pixtral => rope.freq_offset(of_axes([(0, 1), (1, 2)])),
            AxialPreset::StepVision | AxialPreset::Sam2Memory => rope.width_first(),
            AxialPreset::Sam3Global => rope.width_first().extent(24, 1),
            AxialPreset::Llama4Vision => rope.width_first().start([1; A]).identity_rows_after(1),
            AxialPreset::DinoV3 => rope.centred().base([100.0; A]),
            AxialPreset::DinoV3Bf16 => rope.centred().base([100.0; A]).frequency_dtype(FrequencyDtype::Bf16Period),
            AxialPreset::VJepa2 => rope.widths([head_dim / 6 * 2; A]).rest(AxialRest::Identity),
            AxialPreset::EfficientLoFtr => rope.nest(AxialNest::Frequencies).start([1; A]),
            AxialPreset::Eva02 => rope.with(rope.grid.without_extent()),
            AxialPreset::Flux => rope.shares([2, 7, 7]),
            AxialPreset::Flux2 => rope.base([2000.0; A]),
            AxialPreset::Flux3 => rope.unit(of_axes([(1, 1), (1, 2), (1, 2), (1, 1)])),
            AxialPreset::Krea2 => rope.shares([2, 3, 3]).base([1000.0; A]),
            AxialPreset::ZImage => rope.shares([2, 3, 3]).base([256.0; A]),
            AxialPreset::Wan => rope.mostly_time(),
            AxialPreset::HunYuanVideo => rope.shares([2, 7, 7]).base([256.0; A]),
            AxialPreset::QwenImage => rope.shares([2, 7, 7]).start(of_axes([0, middle(shape, 1), middle(shape, 2)])),
            AxialPreset::Cosmos => {
                rope.mostly_time().scaling(of_axes([Scaling::ntk(2.0), Scaling::None, Scaling::None]))
            }
            AxialPreset::CogVideoX5b => {
                let units = [(1, 1), (30, points(shape, 1)), (45, points(shape, 2))];
                rope.shares([2, 3, 3]).unit(of_axes(units))
            }
            AxialPreset::Kandinsky5 => rope.shares([2, 3, 3]).unit(of_axes([(1, 1), (1, 2), (1, 2)])),
        }
    }

    /// Gives the last axis the first columns.
    const fn width_first(self) -> Self {
        self.with(self.grid.last_axis_first())
    }

    /// Sets the shares of three axes.
    const fn shares(mut self, shares: [usize; 3]) -> Self {
        self.widths = Widths::Shares(of_axes(shares));
        self
    }

    /// Gives height and width a sixth of the pairs each, rounded down, and the time the others.
    const fn mostly_time(self) -> Self {
        let width = self.head_dim / 6 * 2;
        self.widths(of_axes([self.head_dim - 2 * width, width, width]))
    }

    /// Puts the middle of each axis at 0, and its ends at -1 and 1, times 2π.
    const fn centred(self) -> Self {
        let (mut start, mut unit, mut i) = ([0; A], [(1, 1); A], 0);
        while i < A {
            let n = points(self.shape(), i);
            (start[i], unit[i]) = (1 - n, (1, n));
            i += 1;
        }
        self.start(start).step([2; A]).unit(unit).scale(TAU)
    }
}

/// Returns the number of points of an axis, or 1 if there are none.
const fn points<const A: usize>(shape: [usize; A], axis: usize) -> i64 {
    if axis < A && shape[axis] > 0 { integer(shape[axis]) } else { 1 }
}

/// Returns the position of point 0 of an axis whose middle is at 0.
const fn middle<const A: usize>(shape: [usize; A], axis: usize) -> i64 {
    if axis >= A {
        return 0;
    }
    let n = integer(shape[axis]);
    n / 2 - n
}

/// Returns the values of axes, of which there are as many.
const fn of_axes<T: Copy, const N: usize, const A: usize>(values: [T; N]) -> [T; A] {
    let (mut of_axes, mut i) = ([values[0]; A], 1);
    while i < A && i < N {
        of_axes[i] = values[i];
        i += 1;
    }
    of_axes
}
