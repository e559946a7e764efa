//! Draws where an angle is in its turn.

use posenc::explain::Stages;

/// Characters from one quarter of a turn to the next.
const QUARTER: usize = 12;

/// Returns a line from 0 to a whole turn, with an `o` at the phase.
///
/// It has the same margin as the library's explanation.
pub(crate) fn draw(stages: &Stages) -> Option<String> {
    stages.phase.to_string().parse().ok().map(line)
}

/// The phase of a negative position is negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the remainder is from 0 to 1")]
fn line(phase: f64) -> String {
    let place = ((phase.rem_euclid(1.0) * 4.0 * QUARTER as f64) as usize).min(4 * QUARTER);
    let character = |i: usize| match i {
        _ if i == place => 'o',
        _ if i.is_multiple_of(QUARTER) => '|',
        _ => '-',
    };
    let labels = ["0", "1/4", "1/2", "3/4"].map(|label| format!("{label:QUARTER$}")).concat();
    let drawn: String = (0..=4 * QUARTER).map(character).collect();
    format!("{:16}{drawn}\n{:16}{labels}1 turn\n", "turn", "")
}

#[cfg(test)]
mod tests {
    use super::{QUARTER, line};

    #[test]
    fn the_mark_stays_in_its_quarter() {
        let place = |phase| line(phase).find('o').unwrap() - 16;
        assert_eq!([0.0, 0.25, 0.5, 0.75].map(place), [0, 1, 2, 3].map(|quarter| quarter * QUARTER));
        assert_eq!([0.249, 0.999, -0.001].map(place), [QUARTER - 1, 4 * QUARTER - 1, 4 * QUARTER - 1]);
        // So little less than a turn that the remainder is rounded to one.
        assert_eq!(place(-1e-20), 4 * QUARTER);
    }
}
