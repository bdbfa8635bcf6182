//! The shard of a tournament that this process plays.

use std::env;

use crate::cli::exit::UsageError;
use crate::tournament::header::Shard;

/// The shard of the command line, else of a Slurm job array, else of an indexed Kubernetes job; `None` for the whole
/// tournament, which is also what the only shard of one is.
///
/// # Errors
/// The environment names a shard that does not exist, or only half of one.
pub(crate) fn shard(argument: Option<Shard>) -> Result<Option<Shard>, UsageError> {
    let shard = match argument {
        Some(shard) => Some(shard),
        None => from_environment(|name| env::var(name).ok()).map_err(UsageError)?,
    };
    Ok(shard.filter(|shard| shard.count > 1))
}

/// Unset and empty variables are the same.
fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, String> {
    let number = |name: &str| match variable(name).filter(|text| !text.trim().is_empty()) {
        None => Ok(None),
        Some(text) => match text.trim().parse::<u64>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("{name}={text} is no number; {WAY_OUT}")),
        },
    };
    if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
        // An array may begin anywhere and leave out numbers, as in --array=1-8 or --array=0-14:2.
        let (first, step) = (number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0), number("SLURM_ARRAY_TASK_STEP")?);
        let step = step.unwrap_or(1).max(1);
        let index = id.checked_sub(first).filter(|distance| distance % step == 0).map(|distance| distance / step);
        return checked("SLURM_ARRAY_TASK_ID", id, index, "SLURM_ARRAY_TASK_COUNT", number("SLURM_ARRAY_TASK_COUNT")?);
    }
    if let Some(id) = number("JOB_COMPLETION_INDEX")? {
        return checked("JOB_COMPLETION_INDEX", id, Some(id), "JOB_COMPLETIONS", number("JOB_COMPLETIONS")?);
    }
    Ok(None)
}

const WAY_OUT: &str = "give --shard INDEX/COUNT, or --shard 0/1 for the whole tournament";

fn checked(
    name: &str,
    id: u64,
    index: Option<u64>,
    count_name: &str,
    count: Option<u64>,
) -> Result<Option<Shard>, String> {
    let count = count.ok_or_else(|| format!("{name} is set, but {count_name} is not; {WAY_OUT}"))?;
    let shard = index.ok_or_else(|| "it is not one of the array".to_owned()).and_then(|index| Shard::new(index, count));
    shard.map(Some).map_err(|message| format!("{name}={id} with {count_name}={count}: {message}; {WAY_OUT}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Result<Option<(u64, u64)>, String> {
        let find = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        from_environment(find).map(|shard| shard.map(|shard| (shard.index, shard.count)))
    }

    #[test]
    fn a_slurm_array_may_begin_anywhere() {
        let task = |id, min, count| {
            environment(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ])
        };
        assert_eq!(task("0", "0", "4"), Ok(Some((0, 4))));
        assert_eq!(task("4", "1", "4"), Ok(Some((3, 4))));
        assert_eq!(task("3", "", "4"), Ok(Some((3, 4))));
        assert!(task("4", "", "4").unwrap_err().contains("shards count from 0"));
        assert!(task("0", "1", "4").is_err());
        let stepped = [("SLURM_ARRAY_TASK_ID", "14"), ("SLURM_ARRAY_TASK_COUNT", "8"), ("SLURM_ARRAY_TASK_STEP", "2")];
        assert_eq!(environment(&stepped), Ok(Some((7, 8))));
    }

    #[test]
    fn a_kubernetes_job_must_tell_its_size() {
        assert_eq!(environment(&[("JOB_COMPLETION_INDEX", "2"), ("JOB_COMPLETIONS", "3")]), Ok(Some((2, 3))));
        let message = environment(&[("JOB_COMPLETION_INDEX", "2")]).unwrap_err();
        assert!(message.contains("JOB_COMPLETIONS is not") && message.contains("--shard"), "{message}");
        assert!(environment(&[("JOB_COMPLETION_INDEX", "x"), ("JOB_COMPLETIONS", "3")]).is_err());
        assert_eq!(environment(&[]), Ok(None));
    }

    #[test]
    fn a_shard_on_the_command_line_counts_from_0() {
        assert_eq!("1/3".parse(), Ok(Shard { index: 1, count: 3 }));
        for wrong in ["3/3", "0/0", "1", "a/b", "-1/3", "1/3/5"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
