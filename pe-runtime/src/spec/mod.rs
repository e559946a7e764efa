//! The parameters of a table, and the methods that set them.

#[macro_use]
pub(crate) mod choices;
pub(crate) mod amplitude;
pub(crate) mod arrangement;
pub(crate) mod check;
mod display;
pub(crate) mod error;
pub(crate) mod macro_call;
pub(crate) mod names;
pub(crate) mod parameters;
pub(crate) mod position;
pub(crate) mod preset;
mod same_table;
pub(crate) mod values;

use amplitude::Amplitude;
use choices::{Columns, Layout, Odd, Order, Pairing};
use values::{Frequencies, Parameters};

/// The parameters of a sinusoidal positional encoding.
///
/// With `d = d_model`, `k` the number of a pair of columns and `p` the position of a row,
///
/// ```text
/// w_k = scale * base^(-k / (d/2 - freq_shift))        p_i = start + i * step
/// PE[i][2k] = amplitude * sin(p_i w_k)        PE[i][2k + 1] = amplitude * cos(p_i w_k)
/// ```
///
/// Unset, the parameters make it the formula of Vaswani et al.,
/// [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5, where `w_k = 10000^(-2k/d)`. The other
/// tables that models use differ in [`freq_shift`](Self::freq_shift), [`layout`](Self::layout) and the rest;
/// [`preset`](Self::preset) knows them by name.
///
/// Every entry is the correctly rounded value of the formula (to nearest, ties to even), the parameters being exactly the
/// numbers given. An entry that is exactly zero is `+0`, whatever the signs of the parameters; one so small that it rounds to
/// zero keeps its sign.
///
/// The builder's methods, [`const_fill`](Self::const_fill) and [`const_table`](crate::const_table) are `const fn`. Parameters are
/// checked where a table is made, not where they are set. A `Spec` shows itself as the macro call that makes its table (with an
/// underscore for a `start` that a preset leaves to be given).
///
/// The lifetime is that of a list of [`frequencies`](Self::frequencies); without one, a `Spec` is a `Spec<'static>`, which is
/// what a struct holds. With a list made at run time let the struct hold the `Vec`, and make the `Spec` when it is needed,
/// which costs nothing: `fn spec(&self) -> Spec<'_> { Spec::new(self.d_model).frequencies(&self.frequencies) }`.
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
    /// The encoding of the paper, `d_model` columns wide: base 10000, rows from position 0.
    ///
    /// `d_model` (the width of the embeddings) may be even or odd, from 1 to [`MAX_D_MODEL`](crate::MAX_D_MODEL).
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

impl<'a> Spec<'a> {
    /// Sets the base of the frequencies' geometric progression, 10000 unless set: a finite number greater than 0, used
    /// exactly as given.
    ///
    /// Below 1e-60 or so the angles of later columns have so many digits before the point that an entry takes microseconds,
    /// and at the end of the range up to milliseconds. So it is with a [`scale`](Self::scale), with
    /// [`frequencies`](Self::frequencies) and with positions beyond 1e60.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let (mut paper, mut long) = ([0.0f32; 64], [0.0f32; 64]);
    /// Spec::new(64).encode(100, &mut paper)?;
    /// Spec::new(64).base(500_000.0).encode(100, &mut long)?;
    /// assert_eq!(paper[0], long[0]); // the first pair turns at one radian a position whatever the base
    /// assert!(long[62] < paper[62]); // the last one more slowly with a larger base
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("theta", "max_timescale", "max_period", "temperature", "max_wavelength"))]
    pub const fn base(mut self, base: f64) -> Self {
        self.parameters.frequencies =
            Frequencies::Geometric { base, freq_shift: self.parameters.frequencies.freq_shift() };
        self
    }

    /// Sets what is taken off the number of frequencies in the exponents' denominator, 0 unless set: with `h = d_model / 2`
    /// frequency `k` is `base^(-k / (h - freq_shift))`.
    ///
    /// 0 is the paper's formula, `base^(-2k / d_model)`, whose last frequency does not quite reach `1 / base`. 1 is what tensor2tensor,
    /// the paper's own code, computes, and with it fairseq, Whisper and many others: `base^(-k / (h - 1))`, whose last
    /// frequency is exactly `1 / base`. The two differ by 0.02 within 16 positions and by 0.7 within 512 (`d_model` 512). Any
    /// other number from -2^24 to the one that makes the last exponent 2 may be given, of a size of at least 2^-42.
    ///
    /// A single frequency is `scale`, whatever the shift: tensor2tensor's guard against `0 / 0`.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).base(16.0).freq_shift(1.0).encode(1, &mut row)?;
    /// assert_eq!(row[2], 0.062_459_316); // sin(1/16)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("downscale_freq_shift"))]
    pub const fn freq_shift(mut self, freq_shift: f64) -> Self {
        self.parameters.frequencies = Frequencies::Geometric { base: self.parameters.frequencies.base(), freq_shift };
        self
    }

    /// Sets the frequencies themselves, in radians per position, in the place of a progression from `base` and `freq_shift`:
    /// any finite numbers, used exactly (zero and negative ones too), one for each pair, or for each column where
    /// [`pairing`](Self::pairing) or [`columns`](Self::columns) give each its own. [`scale`](Self::scale) still multiplies
    /// them.
    ///
    /// What `base` and `freq_shift` were set to before is dropped. Setting one of them afterwards drops the list. (The macro, whose
    /// keys have no order, refuses both together.)
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).frequencies(&[1.0, 0.0625]).encode(1, &mut row)?;
    /// assert_eq!(row, [0.841_470_96, 0.540_302_3, 0.062_459_316, 0.998_047_53]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("inv_freq", "omega"))]
    pub const fn frequencies<'b>(self, frequencies: &'b [f64]) -> Spec<'b>
    where
        'a: 'b,
    {
        Spec { parameters: Parameters { frequencies: Frequencies::Given(frequencies), ..self.parameters } }
    }

    /// Sets where the two columns of a pair stand, [side by side](Layout::Interleaved) unless set.
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

    /// Sets which column of a pair comes first, [the sine](Order::SinCos) unless set.
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

    /// Sets the position of row 0, 0 unless set; row `i` is position `start + i * step`. Every position used must lie within
    /// `±2^53` ([`MAX_POSITION`](crate::MAX_POSITION)).
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

    /// Sets how far apart the positions of consecutive rows are, 1 unless set. It may be negative, for the relative
    /// encodings whose rows descend.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let n = 4;
    /// let relative = Spec::new(8).start(n - 1).step(-1).table::<f32>(2 * 4 - 1)?; // positions n-1 .. -(n-1)
    /// assert_eq!(relative[(3, 1)], 1.0); // position 0 stands in the middle
    /// assert_eq!(relative[(0, 0)], -relative[(6, 0)]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn step(mut self, step: i64) -> Self {
        self.parameters.step = step;
        self
    }

    /// Sets a factor of all angles, 1 unless set: any finite number, used exactly. A model stretched to `s` times its length
    /// by linear interpolation has `1 / s` (0.125 for 8), a diffusion model whose timesteps are fractions of one may have 1000.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let (mut a, mut b) = ([0.0f32; 64], [0.0f32; 64]);
    /// Spec::new(64).scale(0.25).encode(100, &mut a)?;
    /// Spec::new(64).encode(25, &mut b)?;
    /// assert_eq!(a, b);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("scaling_factor", "interpolation_scale", "timestep_scale", "max_freq"))]
    pub const fn scale(mut self, scale: f64) -> Self {
        self.parameters.scale = scale;
        self
    }

    /// Sets a factor of all entries, 1 unless set.
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

    /// Sets what becomes of the last column of an odd `d_model`, [one more sine](Odd::LastSin) unless set.
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

    /// Sets a row of the table to zeros, as fairseq does with the row of its padding token. Rows are counted from 0; the
    /// others keep their positions. [`encode`](Self::encode) and [`fill_positions`](Self::fill_positions), which know positions
    /// and not rows, are not concerned.
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

    /// Sets which functions of the angles the columns are, [both](Columns::Both) unless set.
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

    /// Sets whether sine and cosine share a frequency, [they do](Pairing::Paired) unless set.
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

    /// Rows that descend from a position that the user has to give.
    pub(crate) const fn descending(mut self) -> Self {
        self.parameters.start = None;
        self.parameters.step = -1;
        self
    }

    /// The number of columns.
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
