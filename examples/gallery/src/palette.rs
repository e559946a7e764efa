//! Reduces the colours of a picture, so that its file is small.

use std::collections::BTreeMap;
use std::ops::Range;

/// A picture whose pixels are indices of colours.
pub struct Indexed {
    /// The red, green and blue of each colour.
    pub palette: Vec<u8>,
    pub pixels: Vec<u8>,
}

/// The maximum number of colours, which a byte can count.
const MOST: usize = 256;

type Colour = [u8; 3];

/// Similar colours, each with the number of its pixels.
type Group = Vec<(Colour, usize)>;

/// Replaces groups of similar colours by the most frequent one of each.
pub fn reduced(pixels: &[u8]) -> Indexed {
    let (pixels, _) = pixels.as_chunks();
    let mut counts = BTreeMap::<Colour, usize>::new();
    for &colour in pixels {
        *counts.entry(colour).or_default() += 1;
    }
    let groups = groups(counts.into_iter().collect());
    let indices: BTreeMap<Colour, u8> = (0..=u8::MAX)
        .zip(&groups)
        .flat_map(|(index, group)| group.iter().map(move |&(colour, _)| (colour, index)))
        .collect();
    let most_frequent =
        |group: &Group| group.iter().max_by_key(|(_, count)| count).map_or([0; 3], |&(colour, _)| colour);
    Indexed {
        palette: groups.iter().flat_map(most_frequent).collect(),
        pixels: pixels.iter().map(|colour| indices[colour]).collect(),
    }
}

/// Divides the group with the widest range of a channel at the middle of that range, until there are enough groups.
fn groups(colours: Group) -> Vec<Group> {
    let mut groups = vec![colours];
    while groups.len() < MOST {
        let widest = (0..groups.len()).flat_map(|i| (0..3).map(move |channel| (i, channel)));
        let Some((i, channel)) = widest.max_by_key(|&(i, channel)| range(&groups[i], channel).len()) else { break };
        let Range { start, end } = range(&groups[i], channel);
        if start == end {
            break;
        }
        let middle = start.midpoint(end);
        let (low, high) = groups.swap_remove(i).into_iter().partition(|(colour, _)| colour[channel] <= middle);
        groups.extend([low, high]);
    }
    groups
}

/// Returns the least and the greatest value of a channel.
fn range(group: &Group, channel: usize) -> Range<u8> {
    let values = || group.iter().map(|(colour, _)| colour[channel]);
    values().min().unwrap_or(0)..values().max().unwrap_or(0)
}
