#!/usr/bin/env node
// The command: from the sources in a checkout, from the bundled file in an installed package.
import { existsSync } from "node:fs";
import * as modules from "node:module";

// From Node 22 on: compiled once, kept in the system's folder for temporary files.
modules.enableCompileCache?.();

const launcher = new URL("../scripts/run-ts.mjs", import.meta.url);
if (existsSync(launcher)) {
  // npm runs a script in the package's folder; files are named from where npm was called.
  const byNpm = process.env.npm_lifecycle_event === "oriscope";
  process.argv.splice(2, 0, ...(byNpm ? ["--caller-cwd"] : []), "src/cli/main.ts");
  await import(launcher.href);
} else {
  await import(new URL("../dist-lib/cli.mjs", import.meta.url).href);
}
