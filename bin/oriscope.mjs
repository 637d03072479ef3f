#!/usr/bin/env node
// The command: from the sources in a checkout, from the bundled file in an installed package.
import { existsSync } from "node:fs";
import * as modules from "node:module";
import { pathToFileURL } from "node:url";

// From Node 22 on: compiled once, kept in the system's folder for temporary files.
modules.enableCompileCache?.();

const checkout = new URL("../scripts/lib/command.mjs", import.meta.url);
if (existsSync(checkout)) {
  const { currentBundle } = await import(checkout.href);
  // Threads of the command begin with this file.
  process.argv[1] = await currentBundle();
  process.setSourceMapsEnabled(true);
  // npm runs a script in the package's folder; files are named from where npm was called.
  const { INIT_CWD: caller, npm_lifecycle_event: script } = process.env;
  if (caller !== undefined && script === "oriscope") process.chdir(caller);
  await import(pathToFileURL(process.argv[1]).href);
} else {
  await import(new URL("../dist-lib/cli.mjs", import.meta.url).href);
}
