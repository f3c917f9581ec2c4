//! What `#[derive(Versioned)]` costs a build, compared with the derives of serde and schemars on
//! the same types.

mod builds;
mod generate;

use std::io;

use builds::{Build, Crate, DERIVES, added, least};
use clap::{Parser, ValueEnum as _};
use generate::{FIELDS, Size};

/// Prints the CPU seconds that each derive adds to a build.
#[derive(Parser)]
struct Arguments {
    /// Structs in each version.
    #[arg(long, default_value_t = 50)]
    types: usize,
    /// Versions of the resource.
    #[arg(long, default_value_t = 4)]
    versions: usize,
    /// Builds to measure.
    #[arg(long, value_delimiter = ',', default_value = "check,debug,release")]
    builds: Vec<Build>,
    /// How often each is done; the least counts.
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// How the seconds grow with the number of types and of versions.
    #[arg(long, conflicts_with = "rebuild")]
    growth: bool,
    /// An incremental build after one field of the newest version was changed.
    #[arg(long)]
    rebuild: bool,
}

fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let Arguments { types, versions, .. } = arguments;
    let size = Size { types, versions };
    println!("CPU seconds that each derive adds; {FIELDS} fields in each type\n");
    if arguments.growth {
        growth(&arguments)
    } else if arguments.rebuild {
        rebuild(&arguments, size)
    } else {
        table(&arguments, size)
    }
}

/// Prints the seconds for types that are only declared, and for types that are read, written,
/// described and converted: serde's code is compiled where it is used.
fn table(arguments: &Arguments, size: Size) -> io::Result<()> {
    let trees = Crate::new(false)?;
    trees.write(size, false)?;
    head(&format!("{} types, {} versions", size.types, size.versions));
    for &build in &arguments.builds {
        for used in [false, true] {
            let how = if used { "used" } else { "declared" };
            row(
                &format!("{}, {how}", name(build)),
                added(used, |features| trees.again(build, features, arguments.runs))?,
            );
        }
    }
    Ok(())
}

fn growth(arguments: &Arguments) -> io::Result<()> {
    let trees = Crate::new(false)?;
    let by_types = [50, 100, 200].map(|types| Size { types, versions: 4 });
    let by_versions = [2, 4, 8].map(|versions| Size { types: 50, versions });
    for &build in &arguments.builds {
        for (by, sizes) in [("types", by_types), ("versions", by_versions)] {
            head(&format!("{}, used", name(build)));
            let mut seconds = Vec::new();
            for size in sizes {
                trees.write(size, false)?;
                let added = added(true, |features| trees.again(build, features, arguments.runs))?;
                row(&format!("{} types, {} versions", size.types, size.versions), added);
                seconds.push(added);
            }
            // The first and the last size differ by a factor of four.
            let exponents =
                [0, 1, 2].map(|derive| (seconds[2][derive] / seconds[0][derive]).log(4.0));
            row(&format!("exponent by {by}"), exponents);
            println!();
        }
    }
    Ok(())
}

fn rebuild(arguments: &Arguments, size: Size) -> io::Result<()> {
    let trees = Crate::new(true)?;
    head(&format!("{} types, {} versions", size.types, size.versions));
    for &build in &arguments.builds {
        let added = added(true, |features| {
            least(arguments.runs, |run| {
                trees.write(size, run % 2 == 1)?;
                trees.build(build, features)
            })
        })?;
        row(&format!("{} after an edit", name(build)), added);
    }
    Ok(())
}

fn name(build: Build) -> String {
    build.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn head(first: &str) {
    println!("{first:28}{:>10}{:>10}{:>11}", DERIVES[0], DERIVES[1], DERIVES[2]);
}

fn row(first: &str, [serde, schemars, versioned]: [f64; 3]) {
    println!("{first:28}{serde:10.2}{schemars:10.2}{versioned:11.2}");
}
