/**
 * Public benchmarks, where a folder of them is given: `BRIL=FOLDER npm run unit -- bril/engine/benchmarks`. Each `.bril` or `.json` runs with the arguments that its
 * `# ARGS:` line names, and must print the same as the reference here, imported, after the pipeline, and exported; and the same as its `.out` file where there is one.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BrilSink, importBril, readBril } from "./import.ts";
import { type Argument, argumentValue, holdBril, jsonOf } from "./testing/held.ts";
import { interpretBril } from "./testing/interpret.ts";

const folder = process.env.BRIL;
const files =
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(?:bril|json)$/.test(file))
        .sort();

/** Of the instructions that the reference may take: what does not end within them is named and decides nothing. */
const FUEL = 5_000_000;

/** The message of a run that prints or allocates more than there is room for. */
const FULL = /program's output exceeds the|are left of the/;

function read(file: string): { readonly text: string; readonly args: readonly Argument[] } {
  const text = readFileSync(join(folder ?? "", file), "utf8");
  const main = readBril(text, new BrilSink(10), 1e9).functions.find((f) => f.name.text === "main");
  const words = /^# ?ARGS:(.*)$/m.exec(text)?.[1]?.trim().split(/\s+/).filter(Boolean) ?? [];
  const args = (main?.params ?? []).map(
    (p, i): Argument => ({ name: p.name.text, type: typeof p.type === "string" ? p.type : "int", text: words[i] ?? "0" }),
  );
  return { text, args };
}

describe.skipIf(folder === undefined)("benchmarks", () => {
  const equal: string[] = [];
  const endless: string[] = [];

  it.each(files)("%s", { timeout: 600_000 }, (file) => {
    const { text, args } = read(file);
    const { diagnostics } = importBril(text);
    const missing = diagnostics.find((d) => d.code === "BRIL017" || d.code === "BRIL018" || d.code === "BRIL004" || d.code === "BRIL010");
    if (missing !== undefined) {
      // An unsupported extension: named, with its position.
      expect(missing.line).toBeGreaterThan(0);
      process.stdout.write(`${file}: not covered: line ${missing.line}: ${missing.message}\n`);
      return;
    }
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const out = join(folder ?? "", file.replace(/\.\w+$/, ".out"));
    if (existsSync(out))
      expect(`${interpretBril(jsonOf(text), args.map(argumentValue), FUEL).lines.join("\n")}\n`).toBe(readFileSync(out, "utf8"));
    const held = holdBril(text, args, [{}], FUEL);
    if (held.difference !== null && FULL.test(held.difference)) {
      process.stdout.write(`${file}: not covered: ${held.difference}\n`);
      return;
    }
    expect(held.difference).toBe(null);
    (held.effective ? equal : endless).push(file);
    if (!held.effective) process.stdout.write(`${file}: nothing was decided: the reference did not end within ${FUEL} instructions\n`);
  });

  it("says how many there are", () => {
    process.stdout.write(
      `of ${files.length} benchmarks ${equal.length} print the same everywhere, ${endless.length} did not end, ${files.length - equal.length - endless.length} failed or are not covered\n`,
    );
    expect(files.length).toBeGreaterThan(0);
  });
});
