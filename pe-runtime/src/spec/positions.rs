//! The methods that set the positions of rows, and the factors of all angles.

use crate::spec::Spec;

impl Spec<'_> {
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

    /// Sets the distance between the positions of consecutive rows (default: 1); negative if the rows descend.
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

    /// Sets a factor of all angles (default: 1).
    ///
    /// Any finite number is allowed and used exactly. A model stretched to `s` times its length by linear interpolation
    /// uses `1 / s` (0.125 for 8). A diffusion model whose timesteps are fractions of one may use 1000.
    ///
    /// # Examples
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

    /// Multiplies all angles by an exact quotient of two integers (default: 1).
    ///
    /// Positions are then counted in this unit: row `i` is at `(start + i step) numerator / denominator`, which may be a
    /// number that no `f64` equals. Each of the two numbers is from 1 to 2^53. (A negative [`step`](Self::step) counts backwards.)
    ///
    /// # Examples
    ///
    /// The table of an axis of `CogVideoX`, whose patches are 8/15 apart:
    ///
    /// ```
    /// # use posenc::Spec;
    /// let axis = Spec::new(720).unit(8, 15).table::<f32>(45)?;
    /// let original = Spec::new(720).table::<f32>(9)?;
    /// assert_eq!(axis[15], original[8]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("interpolation_scale", "base_size", "grid_size", "normalize"))]
    pub const fn unit(mut self, numerator: i64, denominator: i64) -> Self {
        self.parameters.unit = (numerator, denominator);
        self
    }
}
