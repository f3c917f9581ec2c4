// Runs a program for WASI, so that Cargo can run the tests on the target of the page.

import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2) });
const module = new WebAssembly.Module(readFileSync(argv[2]));
exit(wasi.start(new WebAssembly.Instance(module, wasi.getImportObject())));
