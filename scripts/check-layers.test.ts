import { describe, expect, it } from "vitest";
import { checkFile } from "./lib/layers.ts";

function messages(file: string, text: string): string[] {
  return checkFile(file, text).map((violation) => `${violation.line}: ${violation.message}`);
}

describe("layer arrows", () => {
  it.each([
    ["src/engine/text/a.ts", 'import { b } from "../ir/b.ts";'],
    ["src/engine/ir/a.ts", 'import { closest } from "../../base/closest.ts";'],
    ["src/worker/spawn.ts", 'import { messageOf } from "../base/errors.ts";'],
    ["src/engine/ir/a.test.ts", 'import { readFileSync } from "node:fs";\nimport { it } from "vitest";\nconsole.log(Date.now());'],
    ["src/engine/passes/registry.ts", 'import { p } from "./jump/p.ts";'],
    ["src/engine/passes/jump/p.ts", 'import { q } from "./q.ts";\nimport type { Pass } from "../pass.ts";'],
    ["src/worker/host.ts", 'import { expose } from "comlink";\nimport { run } from "../engine/api/run.ts";'],
    ["src/worker/questions.ts", 'export type { Result } from "../engine/api/types.ts";'],
    ["src/cli/main.ts", 'import { readFileSync } from "node:fs";\nimport { run } from "../engine/api/run.ts";'],
    ["src/app/session/store.ts", 'import { create } from "zustand";\nimport { connect } from "../../worker/client.ts";'],
    ["src/app/graph/view.tsx", 'import { inPortX } from "../../layout/ports.ts";'],
    ["src/app/graph/view.tsx", 'import type { UnionGraph } from "../../engine/api/types.ts";'],
    ["src/app/graph/view.tsx", 'import type { ScopeRow } from "../../engine/passes/jump/rows.ts";'],
    ["src/app/session/state.ts", 'import { DEFAULT_PIPELINE } from "../../engine/api/defaults.ts";'],
    ["src/app/session/store.test.ts", 'import { local } from "../../worker/local.ts";'],
    ["src/features/tour/page/a.test.ts", 'import { b } from "../../sass/page/b.ts";'],
    ["src/features/labs/page/a.ts", 'import { b } from "../../ownpass/page/b.ts";\nimport { run } from "../../../app/session/run.ts";'],
    ["src/features/futures/engine/a.ts", 'import { run } from "../../../engine/pipeline/run.ts";'],
    ["src/features/page.ts", 'import { TOUR } from "./tour/page/feature.ts";'],
    ["src/engine/api/a.ts", 'import { IMPORTERS } from "../../features/importers.ts";'],
    ["scripts/docs.ts", 'import { phases } from "../src/engine/passes/registry.ts";'],
  ])("lets %s import what it may", (file, text) => {
    expect(messages(file, text)).toEqual([]);
  });

  it.each([
    [
      "src/engine/api/defaults.ts",
      'import { run } from "../pipeline/run.ts";',
      "1: may import engine/pipeline/run.ts with `import type` only",
    ],
    [
      "src/app/a.ts",
      'import { row } from "../engine/passes/jump/rows.ts";',
      "1: may import engine/passes/jump/rows.ts with `import type` only",
    ],
    ["src/app/a.ts", 'import type { Row } from "../engine/passes/jump/jump.ts";', "1: may not import engine/passes/jump/jump.ts"],
    ["src/engine/ir/a.ts", 'import { b } from "../../cli/b.ts";', "1: may not import cli/b.ts"],
    ["src/engine/ir/a.ts", '\nimport { readFileSync } from "node:fs";', "2: may not import the package node:fs"],
    ["src/engine/ir/a.ts", 'const m = await import("valibot");', "1: may not import the package valibot"],
    ["src/engine/ir/a.ts", 'import { x } from "./a.test.ts";', "1: may not import engine/ir/a.test.ts: only tests may import it"],
    [
      "src/engine/ir/a.ts",
      'import type { R } from "../trace/recorder.ts";',
      "1: may not import engine/trace/recorder.ts: ir/ lies below it",
    ],
    [
      "src/engine/passes/a/p.ts",
      'import { run } from "../../pipeline/run.ts";',
      "1: may not import engine/pipeline/run.ts: passes/ lies below it",
    ],
    ["src/app/session/a.ts", 'import { b } from "../graph/b.ts";', "1: may not import app/graph/b.ts: session/ lies below it"],
    ["src/app/graph/a.tsx", 'import { b } from "../timeline/b.ts";', "1: may not import app/timeline/b.ts: graph/ lies below it"],
    ["src/app/share/a.ts", 'import type { B } from "../work/b.ts";', "1: may not import app/work/b.ts: share/ lies below it"],
    ["src/app/shell/a.ts", 'import { B } from "../core.ts";', "1: may not import app/core.ts: the files around the folders lie above them"],
    [
      "src/app/session/a.test.ts",
      'import type { B } from "../../features/tour/page/b.ts";',
      "1: may not import features/tour/page/b.ts: tests of the page's folders pass without features",
    ],
    ["src/app/attic/a.ts", 'import { b } from "../ui/b.ts";', "1: has no row in the layer rules"],
    [
      "src/app/shell/a.tsx",
      'import { b } from "../../features/tour/page/b.ts";',
      "1: may not import features/tour/page/b.ts: only the lists in features/ name a feature",
    ],
    [
      "src/app/shell/a.tsx",
      'import { FEATURES } from "../../features/page.ts";',
      "1: may not import features/page.ts: only the page's entries may import its features",
    ],
    [
      "src/features/sass/page/a.ts",
      'import type { B } from "../../tour/page/b.ts";',
      "1: may not import features/tour/page/b.ts: features reach each other through `Feature`, unless one needs the other",
    ],
    [
      "src/features/ownpass/engine/a.ts",
      'import type { B } from "../../labs/engine/b.ts";',
      "1: may not import features/labs/engine/b.ts: features reach each other through `Feature`, unless one needs the other",
    ],
    ["src/features/sass/engine/a.ts", 'import { b } from "../page/b.ts";', "1: may not import features/sass/page/b.ts"],
    [
      "src/engine/api/a.ts",
      'import type { B } from "../../features/bril/engine/b.ts";',
      "1: may not import features/bril/engine/b.ts: only the lists in features/ name a feature",
    ],
    [
      "src/cli/a.ts",
      'import { b } from "../features/labs/cli/b.ts";',
      "1: may not import features/labs/cli/b.ts: only the lists in features/ name a feature",
    ],
    ["src/base/a.ts", 'import { b } from "../engine/ir/b.ts";', "1: may not import engine/ir/b.ts"],
    ["src/engine/attic/a.ts", 'import { b } from "../ir/b.ts";', "1: has no row in the layer rules"],
    ["src/engine/ir/a.ts", 'import { x } from "../api/x.ts";', "1: may not import engine/api/x.ts: ir/ lies below it"],
    [
      "src/engine/passes/jump/p.ts",
      'import { q } from "../loops/q.ts";',
      "1: may not import engine/passes/loops/q.ts: passes share through passes/shared/, which imports none, or a layer below",
    ],
    [
      "src/engine/passes/shared/copies/p.ts",
      'import { q } from "../../loops/q.ts";',
      "1: may not import engine/passes/loops/q.ts: passes share through passes/shared/, which imports none, or a layer below",
    ],
    ["src/worker/questions.ts", 'import { run } from "../engine/api/run.ts";', "1: may import engine/api/run.ts with `import type` only"],
    ["src/worker/host.ts", 'import { parse } from "../engine/text/parser.ts";', "1: may not import engine/text/parser.ts"],
    ["src/cli/main.ts", 'import { parse } from "../engine/text/parser.ts";', "1: may not import engine/text/parser.ts"],
    ["src/app/page.tsx", 'import { run } from "../engine/api/run.ts";', "1: may import engine/api/run.ts with `import type` only"],
    ["src/app/page.tsx", 'import type { Module } from "../engine/ir/types.ts";', "1: may not import engine/ir/types.ts"],
    ["src/layout/plan.ts", 'import { plural } from "../app/ui/plural.ts";', "1: may not import app/ui/plural.ts"],
    ["src/layout/plan.ts", 'import { useMemo } from "react";', "1: may not import the package react"],
    ["src/app/page.tsx", 'export { host } from "../worker/host.ts";', "1: may not import worker/host.ts"],
    ["src/app/a.ts", 'type T = import("../engine/ir/types.ts").T;', "1: may not import engine/ir/types.ts"],
  ])("stops %s: %s", (file, text, message) => {
    expect(messages(file, text)).toEqual([message]);
  });
});
