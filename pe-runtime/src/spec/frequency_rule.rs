//! The frequencies of a spec, as the arithmetic needs them.

use crate::exact::format::{Format, decompose};
use crate::exact::frequency_rule::FrequencyRounding;
use crate::exact::frequency_rule::{Exponents, Family, FrequencyRule, Unit};
use crate::exact::logarithm::Ratio;
use crate::exact::scaling::{LoweredScaling, THERE_ARE_RULES};
use crate::float_bits::power_of_two;
use crate::spec::Spec;
use crate::spec::arrangement::Arrangement;
use crate::spec::choices::FrequencyDtype;
use crate::spec::error::SpecError;
use crate::spec::values::{Frequencies, Parameters};

impl Spec<'_> {
    /// Returns the frequencies of a spec whose other parameters are valid.
    pub(crate) const fn frequency_rule<'a>(&self, scaling: LoweredScaling<'a>) -> FrequencyRule<'a>
    where
        Self: 'a,
    {
        let Parameters { frequencies, freq_offset, frequency_dtype, scale, unit, .. } = self.parameters;
        let family = match frequencies {
            Frequencies::Given(frequencies) => Family::Given(frequencies),
            Frequencies::Geometric { base, freq_shift } => {
                let (first, stride) = if THERE_ARE_RULES { freq_offset } else { (0, 1) };
                let step = exponent_step(self.arrangement(), freq_shift, first);
                Family::Geometric { base, exponents: with_offset(step, [first, stride]) }
            }
        };
        let rounding = match frequency_dtype {
            _ if !THERE_ARE_RULES => FrequencyRounding::None,
            FrequencyDtype::Exact => FrequencyRounding::None,
            FrequencyDtype::Bf16 => FrequencyRounding::Frequency(Format::BF16),
            FrequencyDtype::F16 => FrequencyRounding::Frequency(Format::F16),
            FrequencyDtype::Bf16Period => FrequencyRounding::Period(Format::BF16),
        };
        FrequencyRule { family, scaling, rounding, scale, unit: Unit::of(unit) }
    }

    /// Checks that the frequencies of a spec whose other parameters are valid are finite when they are rounded.
    pub(super) const fn check_frequency_dtype(&self, scaling: LoweredScaling) -> Result<(), SpecError> {
        let frequency_dtype = self.parameters.frequency_dtype;
        let max = match frequency_dtype {
            // Without rules, only these remain.
            _ if !THERE_ARE_RULES => return Ok(()),
            FrequencyDtype::Exact => return Ok(()),
            FrequencyDtype::Bf16 => Format::BF16.max(),
            FrequencyDtype::F16 => Format::F16.max(),
            FrequencyDtype::Bf16Period => power_of_two(-Format::BF16.min_quantum),
        };
        let frequency_dtype = frequency_dtype.name();
        match self.frequency_rule(scaling).out_of_range(self.arrangement().frequencies()) {
            Some(index) => Err(SpecError::FrequencyDtype { index, frequency_dtype, max }),
            None => Ok(()),
        }
    }
}

/// Returns the exponents `(i + first / stride) step`.
const fn with_offset(step: Ratio, [first, stride]: [i64; 2]) -> Exponents {
    // An offset of 0 may have any denominator, for which the numbers of a small `freq_shift` have no room.
    if first == 0 {
        return Exponents::multiples(step);
    }
    let step = Ratio { denominator: step.denominator * stride as u128, ..step };
    Exponents { step, first: first as usize, stride: stride as usize }
}

/// Returns the ratio that the exponents of the frequencies are multiples of.
const fn exponent_step(arrangement: Arrangement, freq_shift: f64, first: i64) -> Ratio {
    let frequencies = arrangement.frequencies();
    // The shift of a single frequency may be anything.
    if frequencies == 0 || (frequencies == 1 && first == 0) {
        return Ratio { numerator: 0, denominator: 1 };
    }
    let (a, b) = arrangement.exponents();
    // 2 |shift| = twos 2^-bits. It is below 2^26, and `check_freq_shift` ensures that bits is at most 94.
    let (mantissa, exponent) = decompose(freq_shift);
    let zeros = mantissa.trailing_zeros();
    let (twos, bits) = match exponent - 51 + zeros as i32 {
        _ if mantissa == 0 => (0, 0),
        whole @ 0.. => (((mantissa >> zeros) as i128) << whole, 0),
        bits => ((mantissa >> zeros) as i128, -bits as u32),
    };
    let twos = if freq_shift < 0.0 { -twos } else { twos };
    Ratio { numerator: (a as u128) << bits, denominator: (((b as i128) << bits) - twos) as u128 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::choices::Columns;

    /// The exponents of the smallest shift at the largest width have 119 bits, and no room for a denominator beside them.
    #[test]
    fn an_offset_of_0_changes_nothing() {
        let spec = Spec::new(1 << 24).columns(Columns::Sin).freq_shift(2.3e-13);
        let exponents = |spec: Spec| match spec.frequency_rule(LoweredScaling::None).family {
            Family::Geometric { exponents, .. } => exponents.at(1),
            Family::Given(_) => unreachable!("no frequencies are given"),
        };
        let [plain, offset] = [spec, spec.freq_offset(0, 1024)].map(exponents);
        assert_eq!((plain.numerator, plain.denominator), (offset.numerator, offset.denominator));
    }
}
