/** What the engine's script contains from the start, and what it loads on first use. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FutureQuestions } from "../features/futures/engine/questions.ts";
import { IMPORTERS } from "../features/importers.ts";
import type { Parts } from "../features/parts.ts";
import { recordings } from "../features/publish/engine/recordings.ts";
import { nodeElk } from "../layout/elk/node.ts";
import { localEngine } from "./local.ts";

const source = fileURLToPath(new URL("../", import.meta.url));
/** Imports of code: types are erased, and `import(…)` makes a separate script. */
const IMPORTED = /^(?:import|export)\s+(?!type\s)[^;]*?from\s+"(\.[^"]+\.ts)"/gm;

function reached(entry: string): readonly string[] {
  const files = new Set([join(source, entry)]);
  // The iteration of a set also visits elements added meanwhile.
  for (const file of files) for (const [, path = ""] of readFileSync(file, "utf8").matchAll(IMPORTED)) files.add(join(dirname(file), path));
  return [...files].map((file) => relative(source, file));
}

const LATE = /^(?:engine\/(?:fuzz\/generate|import\/ptx)|features\/[^/]+\/engine|layout(?!\/alive\.ts))\/(?!looks-recorded\.ts)/;

describe("the engine's script", () => {
  it("holds nothing that only PTX, SASS, Bril, recordings or questions about futures need", () => {
    expect(reached("worker/local.ts").filter((file) => LATE.test(file)).length).toBeGreaterThan(50);
    const files = reached("worker/host.ts");
    expect(files).toContain("engine/passes/registry.ts");
    expect(files.filter((file) => LATE.test(file))).toEqual([]);
  });
});

const PTX = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n  ret;\n}\n";
const TRACE = '{"type":"trace","version":1}\n';

describe("without a part", () => {
  it("a listing cannot be aligned, and is once the part is there", () => {
    const parts: Parts = {};
    const session = localEngine({}, parts);
    const aligned = () => session.align({ run: -1, step: null }, "/*0000*/ EXIT ;", null);
    expect(aligned).toThrow("Reload the page");
    Object.assign(parts, IMPORTERS);
    expect(aligned().candidates).toHaveLength(1);
    expect(session.open(1, PTX, null).ok).toBe(true);
  });

  it("nothing is said of conditions, and what each is needed for once the part is there", () => {
    const parts: Parts = {};
    const session = localEngine({}, parts);
    expect(() => session.conditions("gvn-cse")).toThrow("Reload the page");
    parts.futures = FutureQuestions;
    const shown = session.conditions("gvn-cse").flatMap(({ witness }) => witness ?? []);
    expect(shown.length).toBeGreaterThan(1);
    for (const witness of shown) expect(session.open(1, witness, null).ok).toBe(true);
  });

  it("a trace is refused, and read once the part is there", async () => {
    const parts: Parts = {};
    const session = localEngine({}, parts);
    expect(session.open(1, TRACE, null).diagnostics).toMatchObject([{ code: "TRC004" }]);
    await expect(session.publish({ format: "log", title: "", runs: null, mostSteps: 1 })).rejects.toThrow("could not be loaded");
    parts.recordings = recordings(nodeElk);
    expect(session.open(2, TRACE, null).diagnostics).toMatchObject([{ code: "TRC001" }]);
  });
});
