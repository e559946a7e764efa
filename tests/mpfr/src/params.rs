//! The parameters of a table, as the documentation of `Spec` and `Preset` describes them: which column is what.

use posenc::{Amplitude, Columns, Layout, Odd, Order, Pairing, Preset, Spec};
use rug::{Float, Rational};

use crate::value::{self, Source};

/// What a `Spec` holds, to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    pub preset: Preset,
    pub d_model: usize,
    pub base: f64,
    pub freq_shift: f64,
    pub frequencies: Option<Vec<f64>>,
    pub layout: Layout,
    pub order: Order,
    pub columns: Columns,
    pub pairing: Pairing,
    pub odd: Odd,
    pub scale: f64,
    pub amplitude: Amplitude,
    pub start: i64,
    pub step: i64,
    pub zero_row: Option<usize>,
}

/// A frequency, and its columns.
#[derive(Clone, Debug)]
pub struct Wave {
    pub source: Source,
    pub sin: Option<usize>,
    pub cos: Option<usize>,
}

impl Params {
    /// The encoding of the paper.
    pub fn paper(d_model: usize) -> Self {
        Self {
            preset: Preset::Paper,
            d_model,
            base: 10_000.0,
            freq_shift: 0.0,
            frequencies: None,
            layout: Layout::Interleaved,
            order: Order::SinCos,
            columns: Columns::Both,
            pairing: Pairing::Paired,
            odd: Odd::LastSin,
            scale: 1.0,
            amplitude: Amplitude::Value(1.0),
            start: 0,
            step: 1,
            zero_row: None,
        }
    }

    /// What the documentation says of a preset. Where `start` has to be given it is 0 here.
    pub fn of_preset(preset: Preset, d_model: usize) -> Self {
        use Preset as P;
        let mut params = Self { preset, ..Self::paper(d_model) };
        if matches!(
            preset,
            P::Tensor2Tensor | P::Fairseq | P::Whisper | P::MarianNmt | P::OpennmtTf | P::Musicgen | P::Ddpm | P::Mlx
        ) {
            params.freq_shift = 1.0;
        }
        if params.freq_shift == 1.0 || matches!(preset, P::HfMarian | P::Adm | P::XTransformers | P::TransformerXl) {
            params.layout = Layout::Halves;
        }
        if matches!(preset, P::Musicgen | P::Adm) {
            params.order = Order::CosSin;
        }
        match preset {
            P::Tensor2Tensor | P::Fairseq | P::Musicgen | P::Ddpm | P::Adm => params.odd = Odd::Zero,
            P::Whisper | P::MarianNmt | P::OpennmtTf | P::NemoFixed | P::XTransformers | P::Mlx | P::TransformerXl => {
                params.odd = Odd::Reject;
            }
            P::ConformerRel => params.odd = Odd::Reject,
            P::SineCodes => params.columns = Columns::Sin,
            P::Unpaired => params.pairing = Pairing::Unpaired,
            _ => {}
        }
        match preset {
            P::NemoFixed | P::XTransformers => params.amplitude = Amplitude::RsqrtD,
            P::Mlx => params.amplitude = Amplitude::Sqrt2OverD,
            P::TransformerXl | P::ConformerRel => params.step = -1,
            P::OpennmtTf => params.start = 1,
            _ => {}
        }
        params
    }

    /// The `Spec`, in which only what differs from the preset is set.
    pub fn spec(&self) -> Spec<'_> {
        let preset = Self::of_preset(self.preset, self.d_model);
        let mut spec = Spec::preset(self.preset, self.d_model);
        macro_rules! set {
            ($($key:ident)*) => { $(if self.$key != preset.$key { spec = spec.$key(self.$key); })* };
        }
        set!(base freq_shift layout order columns pairing odd scale amplitude step);
        if self.start != preset.start || preset.step < 0 {
            spec = spec.start(self.start);
        }
        if let Some(row) = self.zero_row {
            spec = spec.zero_row(row);
        }
        match &self.frequencies {
            Some(frequencies) => spec.frequencies(frequencies),
            None => spec,
        }
    }

    /// The position of a row of the table.
    pub fn position(&self, row: usize) -> i64 {
        self.start + i64::try_from(row).expect("a row within 2^54") * self.step
    }

    /// The columns that the formula fills; a last one of zeros is none of them.
    fn filled(&self) -> usize {
        self.d_model - usize::from(self.odd == Odd::Zero && self.d_model % 2 == 1)
    }

    /// How many frequencies there are.
    pub fn frequency_count(&self) -> usize {
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => self.filled().div_ceil(2),
            _ => self.filled(),
        }
    }

    /// The column that is zero in all rows.
    pub fn zero_column(&self) -> Option<usize> {
        (self.filled() < self.d_model).then(|| self.d_model - 1)
    }

    /// Where the sine (0) or cosine (1) of a pair stands. Of an odd width the last pair is a sine by itself.
    fn column(&self, pair: usize, function: usize) -> Option<usize> {
        let width = self.filled();
        let second = function != usize::from(self.order == Order::CosSin);
        let column = match self.layout {
            Layout::Interleaved => 2 * pair + usize::from(second),
            // The cosines are fewer by one if the width is odd.
            Layout::Halves if second => pair + if function == 1 { width.div_ceil(2) } else { width / 2 },
            Layout::Halves => pair,
        };
        let exists = 2 * pair + function < width;
        exists.then_some(column)
    }

    /// Frequency `number`, the one with `exponent / denominator` unless the frequencies are given.
    fn source(&self, number: usize, denominator: &Rational) -> Source {
        match &self.frequencies {
            Some(frequencies) => Source::Given(frequencies[number]),
            // Whatever the denominator: with a single frequency it may be 0.
            None if number == 0 => Source::Power { base: self.base, exponent: Rational::new() },
            None => Source::Power { base: self.base, exponent: Rational::from(number) / denominator },
        }
    }

    /// One of the frequencies, in the order of a given list.
    pub fn wave(&self, number: usize) -> Wave {
        let width = Rational::from(self.filled());
        let shift = Rational::from_f64(self.freq_shift).expect("finite");
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => {
                let source = self.source(number, &(width / 2 - shift));
                Wave { source, sin: self.column(number, 0), cos: self.column(number, 1) }
            }
            (Columns::Both, Pairing::Unpaired) => {
                let source = self.source(number, &(width - shift * 2));
                // In the order of the interleaved layout, whose columns 0, 2, 4, ... are the first of their pairs.
                let function = (number + usize::from(self.order == Order::CosSin)) % 2;
                let column = self.column(number / 2, function);
                let [sin, cos] = if function == 0 { [column, None] } else { [None, column] };
                Wave { source, sin, cos }
            }
            (Columns::Sin, _) => Wave { source: self.source(number, &(width - shift)), sin: Some(number), cos: None },
            (Columns::Cos, _) => Wave { source: self.source(number, &(width - shift)), sin: None, cos: Some(number) },
        }
    }

    /// The factor of all entries. `d_model` is that of the table, also where its last column is zero.
    pub fn factor(&self) -> value::Amplitude {
        let d_model = Float::with_val(64, self.d_model);
        match self.amplitude {
            Amplitude::Value(amplitude) => value::Amplitude::Given(amplitude),
            Amplitude::RsqrtD => value::Amplitude::RootOf(d_model),
            Amplitude::Sqrt2OverD => value::Amplitude::RootOf(d_model / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_one_of_the_waves() {
        for preset in Preset::ALL {
            for d_model in 1..20 {
                let params = Params::of_preset(*preset, d_model);
                if params.odd == Odd::Reject && d_model % 2 == 1 {
                    continue;
                }
                let waves = (0..params.frequency_count()).map(|number| params.wave(number));
                let mut columns: Vec<_> = waves.flat_map(|wave| [wave.sin, wave.cos]).flatten().collect();
                columns.extend(params.zero_column());
                columns.sort_unstable();
                assert!(columns.into_iter().eq(0..d_model), "{preset:?}, {d_model}");
            }
        }
    }
}
