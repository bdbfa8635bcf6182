//! Named numbers that options set and tuning changes.

/// The name and range of one integer parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The option's name, for example `FoxMobility`.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// One sentence with the unit.
    pub about: &'static str,
}

/// A set of named parameters; [`parameters!`](crate::eval::parameters) writes the implementation.
pub trait Parameters: Clone + Default + Send + Sync + 'static {
    const LIST: &'static [Parameter];

    fn get(&self, index: usize) -> i32;

    /// Sets parameter `index` of [`LIST`](Parameters::LIST), clamped into its range.
    fn set(&mut self, index: usize, value: i32);

    /// The index of a name, in any case.
    fn find(name: &str) -> Option<usize> {
        Self::LIST.iter().position(|parameter| parameter.name.eq_ignore_ascii_case(name))
    }
}

/// Declares a struct of `i32` fields with option names, defaults, ranges and explanations.
///
/// ```
/// reynard::eval::parameters! {
///     /// Weights of a toy.
///     pub struct Toy {
///         /// Points per step.
///         step: "ToyStep" = 3, 0..=10;
///     }
/// }
/// use reynard::eval::Parameters;
/// let mut toy = Toy::default();
/// toy.set(Toy::find("toystep").unwrap(), 99);
/// assert_eq!(toy.step, 10);
/// ```
#[macro_export]
macro_rules! __parameters {
    ($(#[$meta:meta])* pub struct $name:ident {
        $(#[doc = $about:literal] $field:ident : $option:literal = $default:literal, $min:literal ..= $max:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name { $(#[doc = $about] pub $field: i32,)* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::eval::Parameters for $name {
            const LIST: &'static [$crate::eval::Parameter] = &[$($crate::eval::Parameter {
                name: $option, default: $default, min: $min, max: $max, about: $about.trim_ascii(),
            },)*];

            fn get(&self, index: usize) -> i32 {
                [$(self.$field,)*][index]
            }

            fn set(&mut self, index: usize, value: i32) {
                let range = Self::LIST[index];
                let fields: &mut [&mut i32] = &mut [$(&mut self.$field,)*];
                *fields[index] = value.clamp(range.min, range.max);
            }
        }
    };
}
pub use crate::__parameters as parameters;
