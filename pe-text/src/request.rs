//! A table of any kind as it was asked for.

use std::sync::Arc;

use posenc::explain::Explanation;
use posenc::reflection::{Value, axial_axis_names, axis_names};
use posenc::{
    AxialConfig, AxialPreset, AxialRope, Comparison, Element, Grid, GridPreset, Packing, Preset, Quantiser, Rope,
    RopeConfig, RopePreset, Spec,
};

use crate::calls::{axial_call, rotary_call};
use crate::given::{Given, check_count};
use crate::rows::Rows;

/// A table of any kind, with the parameters that are given. It owns its lists.
#[derive(Clone)]
pub struct Request {
    /// The kind of table, its sizes, and what the parameters start from.
    pub wanted: Wanted,
    /// The parameters.
    pub given: Given,
    /// The scale and the zero point of integers.
    pub quantiser: Option<Quantiser>,
}

/// A kind of table, its sizes, and what the parameters start from.
#[derive(Clone)]
pub enum Wanted {
    /// A 1-D table.
    Sinusoidal {
        /// What the parameters start from.
        preset: Preset,
        /// The number of rows.
        seq_len: usize,
        /// The number of columns.
        d_model: usize,
    },
    /// A rotary cache.
    Rotary {
        /// What the parameters start from.
        origin: RotaryOrigin,
        /// The number of rows.
        seq_len: usize,
        /// The columns.
        packing: Packing,
    },
    /// A table of several axes.
    Grid {
        /// What the parameters start from, unless from the defaults.
        preset: Option<GridPreset>,
        /// The number of points along each axis.
        shape: Vec<usize>,
        /// The number of columns.
        d_model: usize,
    },
    /// A rotary table of several axes.
    Axial {
        /// What the parameters start from.
        origin: AxialOrigin,
        /// The number of points along each axis.
        shape: Vec<usize>,
        /// The columns.
        packing: Packing,
    },
}

/// What the parameters of a rotary cache start from.
#[derive(Clone)]
pub enum RotaryOrigin {
    /// The defaults, for heads of so many columns.
    HeadDim(usize),
    /// A preset, perhaps for heads of other columns.
    Preset(RopePreset, Option<usize>),
    /// The config of a model.
    Config {
        /// The config.
        config: Arc<RopeConfig>,
        /// Which of its layers, if their caches differ.
        layers: Option<String>,
        /// The columns of a head, if they are others.
        head_dim: Option<usize>,
    },
}

/// What the parameters of a rotary table of several axes start from.
#[derive(Clone)]
pub enum AxialOrigin {
    /// The defaults, for heads of so many columns.
    HeadDim(usize),
    /// A preset, for heads of so many columns.
    Preset(AxialPreset, usize),
    /// The config of a model, and the columns of a head if they are given too.
    Config(Arc<AxialConfig>, Option<usize>),
}

impl RotaryOrigin {
    /// Returns the cache before the other parameters.
    fn rope(&self, seq_len: usize) -> Result<Rope<'_>, String> {
        let (rope, head_dim) = match self {
            Self::HeadDim(head_dim) => (Rope::new(*head_dim), &None),
            Self::Preset(preset, head_dim) => (Rope::preset(*preset), head_dim),
            Self::Config { config, layers, head_dim } => {
                let rope = match layers {
                    Some(layers) => config.rope_of_layers(layers, seq_len),
                    None => config.rope(seq_len),
                };
                (rope.map_err(|error| error.to_string())?, head_dim)
            }
        };
        Ok(head_dim.map_or(rope, |head_dim| rope.with_head_dim(head_dim)))
    }
}

impl AxialOrigin {
    /// Returns the table before the other parameters.
    fn rope<const A: usize>(&self, shape: [usize; A]) -> Result<AxialRope<'static, A>, String> {
        match self {
            Self::HeadDim(head_dim) => Ok(AxialRope::new(shape, *head_dim)),
            Self::Preset(preset, head_dim) => Ok(AxialRope::preset(*preset, shape, *head_dim)),
            Self::Config(config, head_dim) => {
                let rope = config.rope(shape).map_err(|error| error.to_string())?;
                match (*head_dim, rope.head_dim()) {
                    (Some(given), own) if given != own => Err(format!(
                        "`head_dim` is {given}, but the heads of the config have {own} columns; leave it out"
                    )),
                    _ => Ok(rope),
                }
            }
        }
    }

    /// Returns the preset, which a config may determine.
    fn preset(&self) -> Option<AxialPreset> {
        match self {
            Self::HeadDim(_) => None,
            Self::Preset(preset, _) => Some(*preset),
            Self::Config(config, _) => config.preset().ok(),
        }
    }
}

/// Evaluates an expression that is generic over the number of axes, for a shape.
macro_rules! with_axes {
    ($shape:expr, $axes:ident => $what:expr) => {
        match $shape.len() {
            1 => {
                const $axes: usize = 1;
                $what
            }
            2 => {
                const $axes: usize = 2;
                $what
            }
            3 => {
                const $axes: usize = 3;
                $what
            }
            4 => {
                const $axes: usize = 4;
                $what
            }
            count => Err(format!("`shape` has {count} sizes, but must have from 1 to 4, one for each axis")),
        }
    };
}

impl Request {
    /// Returns the rows of the table, which are checked.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that no table has, for parameters that exclude each other, and for a table
    /// larger than the address space.
    pub fn rows<T: Element>(&self) -> Result<Rows<'_, T>, String> {
        match &self.wanted {
            Wanted::Sinusoidal { seq_len, .. } => {
                Rows::first(self.spec()?, *seq_len).map_err(|error| error.to_string())
            }
            Wanted::Rotary { seq_len, packing, .. } => {
                let (rope, spec) = self.checked_rope::<T>(*packing)?;
                let call = rotary_call::<T>(&rope.macro_call(*seq_len), *packing);
                Rows::of(spec, *seq_len, call).map_err(|error| said(rope.table::<T>(*seq_len), &error))
            }
            Wanted::Grid { shape, .. } => with_axes!(shape, A => {
                Rows::of_grid(self.grid::<A>()?).map_err(|error| error.to_string())
            }),
            Wanted::Axial { shape, packing, .. } => with_axes!(shape, A => {
                let (rope, grid) = self.checked_axial::<T, A>(*packing)?;
                let call = axial_call::<T, A>(&rope, *packing);
                Rows::of_called_grid(grid, call).map_err(|error| said(rope.table::<T>(), &error))
            }),
        }
    }

    /// Returns the rows of a 1-D table or of a rotary cache at these positions, which are finite.
    ///
    /// # Errors
    ///
    /// Returns the same sentences as [`rows`](Self::rows).
    ///
    /// # Panics
    ///
    /// Panics if the request is for a table of several axes.
    pub fn rows_at<'r, T: Element>(&'r self, positions: &'r [f64]) -> Result<Rows<'r, T>, String> {
        let Wanted::Rotary { packing, .. } = &self.wanted else {
            return Rows::at(self.spec()?, positions).map_err(|error| error.to_string());
        };
        let length = positions.iter().copied().fold(-1.0, f64::max).ceil() + 1.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and saturating")]
        let rope = self.rope_of_length(length as usize)?;
        let (rope, spec) = checked::<T>(rope, *packing)?;
        let call = rotary_call::<T>(&rope.start(0).step(1).macro_call(positions.len()), *packing);
        Rows::called_at(spec, positions, call).map_err(|error| error.to_string())
    }

    /// Returns the cache and its table. An error is in the terms of the cache, and not of its table.
    fn checked_rope<T: Element>(&self, packing: Packing) -> Result<(Rope<'_>, Spec<'_>), String> {
        checked::<T>(self.rope()?, packing)
    }

    fn checked_axial<T: Element, const A: usize>(
        &self,
        packing: Packing,
    ) -> Result<(AxialRope<'_, A>, Grid<'_, A>), String> {
        let rope = self.axial::<A>()?;
        rope.check::<T>().map_err(|error| error.to_string())?;
        Ok((rope, rope.packed(packing).map_err(|error| error.to_string())?))
    }

    /// Returns a comparison with the rows of the table.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that no table has, and for parameters that exclude each other.
    pub fn comparison<T: Element>(&self) -> Result<Comparison<'_, T>, String> {
        match &self.wanted {
            Wanted::Sinusoidal { seq_len, .. } => {
                Comparison::new(&self.spec()?, *seq_len).map_err(|error| error.to_string())
            }
            Wanted::Rotary { seq_len, packing, .. } => {
                let (_, spec) = self.checked_rope::<T>(*packing)?;
                Comparison::new(&spec, *seq_len).map_err(|error| error.to_string())
            }
            Wanted::Grid { shape, .. } => with_axes!(shape, A => {
                Comparison::of_grid(&self.grid::<A>()?).map_err(|error| error.to_string())
            }),
            Wanted::Axial { shape, packing, .. } => with_axes!(shape, A => {
                let (_, grid) = self.checked_axial::<T, A>(*packing)?;
                Comparison::of_grid(&grid).map_err(|error| error.to_string())
            }),
        }
    }

    /// Explains an entry at a position, which has a number for each axis.
    ///
    /// # Errors
    ///
    /// Returns the same sentences as [`rows`](Self::rows), and one for a position or a column that the table does not
    /// have.
    pub fn explain<T: Element>(&self, position: &[f64], column: usize) -> Result<Explanation<T>, String> {
        fn point<const A: usize>(position: &[f64]) -> Result<[f64; A], String> {
            let each = if A == 1 { "" } else { ", one for each axis" };
            let count = crate::words::counted(position.len(), "number");
            position.try_into().map_err(|_| format!("`position` has {count}, but must have {A}{each}"))
        }
        if let Wanted::Grid { shape, .. } | Wanted::Axial { shape, .. } = &self.wanted {
            return with_axes!(shape, A => {
                let (grid, point) = (self.grid::<A>()?, point::<A>(position)?);
                grid.explain(point, column).map_err(|error| error.to_string())
            });
        }
        let [position] = point(position)?;
        let Some(spec) = self.packed()? else { unreachable!("the table has one axis") };
        spec.explain(position, column).map_err(|error| error.to_string())
    }

    /// Returns the number of axes, which is also the number of coordinates of a position.
    #[must_use]
    pub fn axes(&self) -> usize {
        match &self.wanted {
            Wanted::Sinusoidal { .. } | Wanted::Rotary { .. } => 1,
            Wanted::Grid { shape, .. } | Wanted::Axial { shape, .. } => shape.len(),
        }
    }

    /// Returns the numbers of rows and columns, which are not checked. The parameters of rotary tables are.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that exclude each other, for another number of axes, and for parameters that
    /// no rotary table has.
    pub fn shape<T: Element>(&self) -> Result<[usize; 2], String> {
        match &self.wanted {
            Wanted::Sinusoidal { seq_len, .. } => Ok([*seq_len, self.spec()?.d_model()]),
            Wanted::Rotary { seq_len, packing, .. } => Ok([*seq_len, self.checked_rope::<T>(*packing)?.1.d_model()]),
            Wanted::Grid { shape, .. } => with_axes!(shape, A => {
                self.grid::<A>().map(|grid| [grid.rows(), grid.d_model()])
            }),
            Wanted::Axial { shape, packing, .. } => with_axes!(shape, A => {
                self.checked_axial::<T, A>(*packing).map(|(_, grid)| [grid.rows(), grid.d_model()])
            }),
        }
    }

    /// Returns the spec of a 1-D table, or of the packed columns of a rotary cache, or `None` for several axes.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that exclude each other, and for parameters that no cache has.
    pub fn packed(&self) -> Result<Option<Spec<'_>>, String> {
        match &self.wanted {
            Wanted::Sinusoidal { .. } => self.spec().map(Some),
            Wanted::Rotary { packing, .. } => {
                self.rope()?.packed(*packing).map(Some).map_err(|error| error.to_string())
            }
            Wanted::Grid { .. } | Wanted::Axial { .. } => Ok(None),
        }
    }

    /// Returns the spec of a 1-D table.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that exclude each other.
    ///
    /// # Panics
    ///
    /// Panics if the request is not for a 1-D table.
    pub fn spec(&self) -> Result<Spec<'_>, String> {
        let Wanted::Sinusoidal { preset, d_model, .. } = &self.wanted else { panic!("it is not a 1-D table") };
        let spec = self.given.spec(Spec::preset(*preset, *d_model))?;
        Ok(self.quantiser.into_iter().fold(spec, Spec::quantiser))
    }

    /// Returns the rotary cache.
    ///
    /// # Errors
    ///
    /// Returns the sentence of a config that has none, and for parameters that exclude each other.
    ///
    /// # Panics
    ///
    /// Panics if the request is not for a rotary cache.
    pub fn rope(&self) -> Result<Rope<'_>, String> {
        let Wanted::Rotary { seq_len, .. } = &self.wanted else { panic!("it is not a rotary cache") };
        let integer = |key, default| match self.given.value(key) {
            Some(Value::Integer(integer)) => integer.into(),
            _ => default,
        };
        let first: i128 = integer("start", 0);
        let last = first + integer("step", 1) * (*seq_len as i128 - 1);
        let length = first.max(last).max(-1) + 1;
        self.rope_of_length(usize::try_from(length).unwrap_or(usize::MAX))
    }

    /// Returns the rotary cache for positions below the length, on which the rules of some configs depend.
    fn rope_of_length(&self, length: usize) -> Result<Rope<'_>, String> {
        let Wanted::Rotary { origin, .. } = &self.wanted else { panic!("it is not a rotary cache") };
        let rope = self.given.rope(origin.rope(length)?)?;
        Ok(self.quantiser.into_iter().fold(rope, Rope::quantiser))
    }

    /// Returns the grid. A rotary table of several axes is the grid of its packed columns.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that exclude each other, and for another number of axes.
    ///
    /// # Panics
    ///
    /// Panics if the table has only one axis.
    pub fn grid<const A: usize>(&self) -> Result<Grid<'_, A>, String> {
        let (preset, shape, d_model) = match &self.wanted {
            Wanted::Grid { preset, shape, d_model } => (preset, shape, d_model),
            Wanted::Axial { packing, .. } => {
                return self.axial::<A>()?.packed(*packing).map_err(|error| error.to_string());
            }
            Wanted::Sinusoidal { .. } | Wanted::Rotary { .. } => panic!("it is not a grid"),
        };
        let shape = of_axes("shape", shape)?;
        let grid = preset.map_or_else(|| Grid::new(shape, *d_model), |preset| Grid::preset(preset, shape, *d_model));
        let grid = self.given.grid(grid, axis_names(*preset, A))?;
        Ok(self.quantiser.into_iter().fold(grid, Grid::quantiser))
    }

    fn axial<const A: usize>(&self) -> Result<AxialRope<'_, A>, String> {
        let Wanted::Axial { origin, shape, .. } = &self.wanted else { panic!("it has no axes") };
        let rope = origin.rope(of_axes("shape", shape)?)?;
        let rope = self.given.axial(rope, axial_axis_names(origin.preset(), A))?;
        Ok(self.quantiser.into_iter().fold(rope, AxialRope::quantiser))
    }
}

/// Returns the cache and its table. An error is in the terms of the cache, and not of its table.
fn checked<T: Element>(rope: Rope<'_>, packing: Packing) -> Result<(Rope<'_>, Spec<'_>), String> {
    rope.check::<T>().map_err(|error| error.to_string())?;
    Ok((rope, rope.packed(packing).map_err(|error| error.to_string())?))
}

/// Returns the error in the terms of what was asked for, if making that fails too, as it does before it allocates.
fn said<X, E: ToString, O: ToString>(made: Result<X, E>, error: &O) -> String {
    made.err().map_or_else(|| error.to_string(), |error| error.to_string())
}

/// Returns a value for each axis.
fn of_axes<T: Copy, const A: usize>(key: &str, values: &[T]) -> Result<[T; A], String> {
    check_count(key, values.len(), A)?;
    Ok(std::array::from_fn(|axis| values[axis]))
}
