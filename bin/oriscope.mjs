#!/usr/bin/env node
// The command: from the sources in a checkout, from the bundled file in an installed package.
import { existsSync, statSync } from "node:fs";
import * as modules from "node:module";
import { setFlagsFromString } from "node:v8";

/*
 * Most of what a command on one file costs is compiling: the optimizing compiler takes up functions that are done with before it has finished. So many bytes
 * of bytecode have to run before it does (the default is a quarter to a half of it), and it puts few other functions into each. Set before anything is
 * loaded, since code that was kept fits the flags that it was made under.
 */
if (process.argv[2] === "run") {
  setFlagsFromString("--interrupt-budget=600000");
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=150");
  // Of a large file the heap grew to several times what it needs, since collecting it is put off; twice what is alive costs no more time.
  if (process.argv.slice(3).some(isLarge)) setFlagsFromString("--heap-growing-percent=100");
}

const launcher = new URL("../scripts/run-ts.mjs", import.meta.url);
if (existsSync(launcher)) {
  // npm runs a script in the package's folder; files are named from where npm was called.
  const byNpm = process.env.npm_lifecycle_event === "oriscope";
  process.argv.splice(2, 0, ...(byNpm ? ["--caller-cwd"] : []), "--kept", "src/cli/main.ts");
  await import(launcher.href);
} else {
  // From Node 22 on: compiled once, kept in the system's folder for temporary files.
  modules.enableCompileCache?.();
  await import(new URL("../dist-lib/cli.mjs", import.meta.url).href);
}

/** @param {string} word */
function isLarge(word) {
  try {
    return statSync(word).size > 2_000_000;
  } catch {
    return false; // An option, or a file that the command will say it cannot read.
  }
}
