#!/usr/bin/env node
// The command: from the sources in a checkout, from the bundled file in an installed package.
import { existsSync } from "node:fs";
import * as modules from "node:module";

const launcher = new URL("../scripts/run-ts.mjs", import.meta.url);
if (existsSync(launcher)) {
  process.argv.splice(2, 0, "src/cli/main.ts");
  await import(launcher.href);
} else {
  // From Node 22 on: compiled once, kept in the system's folder for temporary files.
  modules.enableCompileCache?.();
  await import(new URL("../dist-lib/cli.mjs", import.meta.url).href);
}
