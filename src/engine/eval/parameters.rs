//! Named numbers that options set and tuning changes.

/// The name and range of one integer parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The option's name, for example `FoxMobility`.
    pub name: &'static str,
    /// Its value where none is set.
    pub default: i32,
    /// The least value allowed.
    pub min: i32,
    /// The greatest value allowed.
    pub max: i32,
    /// One sentence with the unit.
    pub about: &'static str,
}

/// A set of named parameters; [`parameters!`](macro@parameters) writes the implementation.
pub trait Parameters: Clone + Default + Send + Sync + 'static {
    /// All of them, in the order of [`get`](Parameters::get).
    const LIST: &'static [Parameter];

    /// The value of parameter `index` of [`LIST`](Parameters::LIST).
    fn get(&self, index: usize) -> i32;

    /// Sets parameter `index` of [`LIST`](Parameters::LIST), clamped into its range.
    fn set(&mut self, index: usize, value: i32);

    /// The index of a name, in any case.
    fn find(name: &str) -> Option<usize> {
        Self::LIST.iter().position(|parameter| parameter.name.eq_ignore_ascii_case(name))
    }
}

/// Declares a struct of `i32` fields with option names, defaults, ranges and explanations.
macro_rules! parameters {
    ($(#[$meta:meta])* $access:vis struct $name:ident {
        $(#[doc = $about:literal] $field:ident : $option:literal = $default:literal, $min:literal ..= $max:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $access struct $name { $(#[doc = $about] $access $field: i32,)* }

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
pub(crate) use parameters;

#[cfg(test)]
mod tests {
    use super::Parameters;

    parameters! {
        /// Weights of a toy.
        struct Toy {
            /// Points per step.
            step: "ToyStep" = 3, 0..=10;
        }
    }

    #[test]
    fn values_are_set_by_name_and_kept_in_range() {
        let mut toy = Toy::default();
        assert_eq!((toy.step, toy.get(0)), (3, 3));
        toy.set(Toy::find("toystep").unwrap(), 99);
        assert_eq!(toy.step, 10);
    }
}
