//! The parameters of a table, and the methods that set them.

#[macro_use]
pub(crate) mod names;
#[macro_use]
pub(crate) mod known_tables;
pub(crate) mod amplitude;
pub(crate) mod arrangement;
pub(crate) mod axial_choices;
pub(crate) mod choices;
pub(crate) mod error;
pub(crate) mod grid_choices;
pub(crate) mod models;
pub(crate) mod position;
pub(crate) mod quantiser;
pub(crate) mod scaling;
pub(crate) mod values;

use amplitude::Amplitude;
use choices::{Columns, Layout, Odd, Order, Pairing, Repeat};
use quantiser::Quantiser;
use values::Parameters;

/// The parameters of a sinusoidal positional encoding.
///
/// With `d = d_model`, `k` the index of a pair of columns and `i` the index of a row, both counted from 0, the
/// frequencies `w_k`, the positions `p_i` and the entries are
///
/// ```text
/// w_k = scale * unit * base^(-(k + freq_offset) / (d/2 - freq_shift))        p_i = start + i * step
/// PE[i][2k] = amplitude * sin(p_i w_k)        PE[i][2k + 1] = amplitude * cos(p_i w_k)
/// ```
///
/// By default the parameters give the formula of Vaswani et al., [*Attention Is All You
/// Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5, where `w_k = 10000^(-2k/d)`. The tables of other
/// models differ in [`freq_shift`](Self::freq_shift), [`layout`](Self::layout) and other parameters;
/// [`preset`](Self::preset) sets the parameters of a known model by name.
///
/// Every entry is the correctly rounded value of the formula (to nearest, ties to even), for exactly the parameters
/// given. An entry that is exactly zero is `+0`, whatever the signs of the parameters. An entry that rounds to zero
/// keeps its sign.
///
/// The builder methods, [`const_fill`](Self::const_fill) and [`const_table`](crate::const_table) are `const fn`.
/// Parameters are checked when a table is made, not when they are set. A `Spec` displays as the macro call that makes
/// its table, with an underscore for a `start` that its preset requires.
///
/// The lifetime `'a` is the lifetime of the list that a spec borrows: its [`frequencies`](Self::frequencies), or the
/// divisors of [`Scaling::LongRope`](crate::Scaling::LongRope). If there is no list, a `Spec` is a `Spec<'static>`,
/// which a struct can store. If the list is made at run time, store the `Vec` in the struct and build the `Spec` when
/// you need it, at no cost: `fn spec(&self) -> Spec<'_> { Spec::new(self.d_model).frequencies(&self.frequencies) }`.
///
/// # Examples
///
/// ```
/// use posenc::{Layout, Spec};
///
/// const SPEC: Spec = Spec::new(4).base(500_000.0).layout(Layout::Halves).start(1);
/// let mut rows = [0.0f32; 8];
/// SPEC.fill(0.., &mut rows)?;
/// assert_eq!(rows[0], 0.841_470_96); // sin(1): row 0 is position 1
/// assert_eq!(SPEC.to_string(), "sinusoidal_table!(seq_len, 4, base = 500000.0, layout = halves, start = 1)");
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[must_use]
pub struct Spec<'a> {
    pub(crate) parameters: Parameters<'a>,
}

impl Spec<'static> {
    /// Creates the encoding of the paper, `d_model` columns wide: base 10,000, rows from position 0.
    ///
    /// `d_model` is the width of the embeddings. It may be even or odd, from 1 to [`MAX_D_MODEL`](crate::MAX_D_MODEL).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f64; 3];
    /// Spec::new(3).encode(0, &mut row)?;
    /// assert_eq!(row, [0.0, 1.0, 0.0]); // sine, cosine, and the extra sine of an odd width
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("embedding_dim", "num_channels", "depth"))]
    pub const fn new(d_model: usize) -> Self {
        Self { parameters: Parameters::paper(d_model) }
    }
}

impl Spec<'_> {
    /// Sets the placement of the two columns of a pair (default: [side by side](Layout::Interleaved)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Layout, Spec};
    /// let (mut interleaved, mut halves) = ([0.0f32; 8], [0.0f32; 8]);
    /// Spec::new(8).encode(3, &mut interleaved)?;
    /// Spec::new(8).layout(Layout::Halves).encode(3, &mut halves)?;
    /// assert_eq!([interleaved[0], interleaved[2], interleaved[4], interleaved[6]], halves[..4]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("interleave_sin_cos", "concat"))]
    pub const fn layout(mut self, layout: Layout) -> Self {
        self.parameters.layout = layout;
        self
    }

    /// Sets which column of a pair comes first (default: [the sine](Order::SinCos)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Layout, Order, Spec};
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).layout(Layout::Halves).order(Order::CosSin).encode(0, &mut row)?;
    /// assert_eq!(row, [1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("flip_sin_to_cos", "cos_first"))]
    pub const fn order(mut self, order: Order) -> Self {
        self.parameters.order = order;
        self
    }

    /// Sets a factor applied to all entries (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Amplitude, Spec};
    /// let mut row = [0.0f32; 16];
    /// Spec::new(16).amplitude(Amplitude::RsqrtD).encode(0, &mut row)?;
    /// assert_eq!(row[1], 0.25);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn amplitude(mut self, amplitude: Amplitude) -> Self {
        self.parameters.amplitude = amplitude;
        self
    }

    /// Sets the scale and the zero point of integer entries.
    ///
    /// The types `i8`, `i16` and `u8` need a quantiser. A quantiser for any other type is an error. The amplitude
    /// divided by the scale may exceed the range of the type by at most one step, as 1.0 does for `i8` and a scale of
    /// 1/128. An entry beyond the range is clamped.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Quantiser, Spec};
    /// let spec = Spec::new(64).quantiser(Quantiser::quotient(1, 127).zero_point(-1));
    /// let table = spec.table::<i8>(100)?;
    /// assert_eq!(table[0][..2], [-1, 126]); // 0 and 1
    /// assert_eq!(spec.macro_call(100).dtype::<i8>().to_string(), "sinusoidal_table!(100, 64, dtype = i8(1/127, -1))");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("quantizer", "quantize", "int8", "uint8", "int16"))]
    pub const fn quantiser(mut self, quantiser: Quantiser) -> Self {
        self.parameters.quantiser = Some(quantiser);
        self
    }

    /// Returns the spec of the same formula for floating-point entries.
    pub(crate) const fn without_quantiser(mut self) -> Self {
        self.parameters.quantiser = None;
        self
    }

    /// Sets how the last column of an odd `d_model` is filled (default: [one more sine](Odd::LastSin)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Odd, Spec};
    /// let mut row = [0.0f32; 7];
    /// Spec::new(7).odd(Odd::Zero).encode(1, &mut row)?;
    /// assert_eq!(row[6], 0.0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn odd(mut self, odd: Odd) -> Self {
        self.parameters.odd = odd;
        self
    }

    /// Sets the position of row 0 (default: 0).
    ///
    /// Row `i` is position `start + i * step`. Every position used must be within `±2^53`
    /// ([`MAX_POSITION`](crate::MAX_POSITION)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 2];
    /// Spec::new(2).start(-1).fill(0.., &mut row)?;
    /// assert_eq!(row, [-0.841_470_96, 0.540_302_3]); // sin(-1), cos(-1)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("offset", "start_index"))]
    pub const fn start(mut self, start: i64) -> Self {
        self.parameters.start = Some(start);
        self
    }

    /// Sets the distance between the positions of consecutive rows (default: 1).
    ///
    /// If the step is negative, the positions descend.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let n = 4;
    /// let relative = Spec::new(8).start(n - 1).step(-1).table::<f32>(2 * 4 - 1)?; // positions n-1 .. -(n-1)
    /// assert_eq!(relative[(3, 1)], 1.0); // position 0 is in the middle
    /// assert_eq!(relative[(0, 0)], -relative[(6, 0)]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn step(mut self, step: i64) -> Self {
        self.parameters.step = step;
        self
    }

    /// Sets a row of the table to zeros, as fairseq does for its padding token.
    ///
    /// Rows are counted from 0. The other rows keep their positions. [`encode`](Self::encode) and
    /// [`fill_positions`](Self::fill_positions) ignore this parameter, because they take positions, not rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let padding_idx = 1;
    /// let table = Spec::preset(Preset::Fairseq, 8).zero_row(padding_idx).table::<f32>(1024)?;
    /// assert_eq!(table[1], [0.0; 8]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("padding_idx"))]
    pub const fn zero_row(mut self, row: usize) -> Self {
        self.parameters.zero_row = Some(row);
        self
    }

    /// Sets which functions of the angles the table has (default: [both](Columns::Both)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Spec};
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).columns(Columns::Sin).encode(0, &mut row)?;
    /// assert_eq!(row, [0.0; 4]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn columns(mut self, columns: Columns) -> Self {
        self.parameters.columns = columns;
        self
    }

    /// Sets whether sine and cosine share a frequency (default: [they do](Pairing::Paired)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Pairing, Spec};
    /// let (mut paired, mut unpaired) = ([0.0f32; 4], [0.0f32; 4]);
    /// Spec::new(4).encode(1, &mut paired)?;
    /// Spec::new(4).pairing(Pairing::Unpaired).encode(1, &mut unpaired)?;
    /// assert_eq!(paired[2], unpaired[2]); // the sines are the same
    /// assert!(paired[1] < unpaired[1]); // the cosines turn more slowly
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn pairing(mut self, pairing: Pairing) -> Self {
        self.parameters.pairing = pairing;
        self
    }

    /// Sets whether each frequency fills its columns twice (default: [it does not](Repeat::None)).
    ///
    /// The columns must be paired. `d_model` must be even, or a multiple of 4 if the table has both sines and cosines.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Repeat, Spec};
    /// let (mut twice, mut once) = ([0.0f32; 128], [0.0f32; 64]);
    /// Spec::new(128).columns(Columns::Cos).repeat(Repeat::Halves).encode(7, &mut twice)?;
    /// Spec::new(64).columns(Columns::Cos).encode(7, &mut once)?;
    /// assert_eq!((&twice[..64], &twice[64..]), (&once[..], &once[..]));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("repeat_interleave", "rotate_half"))]
    pub const fn repeat(mut self, repeat: Repeat) -> Self {
        self.parameters.repeat = repeat;
        self
    }

    /// Makes the rows descend from a position that the user must set.
    pub(crate) const fn descending(mut self) -> Self {
        self.parameters.start = None;
        self.parameters.step = -1;
        self
    }

    /// Returns the number of columns.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).d_model(), 512);
    /// ```
    #[must_use]
    pub const fn d_model(&self) -> usize {
        self.parameters.d_model
    }
}

// Declared here, so that the docs list the methods above first.
pub(crate) mod check;
mod frequencies;
mod frequency_rule;
pub(crate) mod keys;
pub(crate) mod macro_call;
pub(crate) mod parameter_list;
pub(crate) mod parameters;
pub(crate) mod preset;
mod same_table;
