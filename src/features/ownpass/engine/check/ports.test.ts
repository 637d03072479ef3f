/** Two built-in passes, rewritten with `oriscope/pass`: on the fixtures of every family they make the same program as the originals. */

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { guestProgram } from "../../../../engine/api/own/program.ts";
import { targetOf } from "../../../../engine/config/targets.ts";
import { Editor } from "../../../../engine/ir/edit.ts";
import type { Func, Module } from "../../../../engine/ir/types.ts";
import { fold } from "../../../../engine/passes/branch-opt/jumps.ts";
import { RULES } from "../../../../engine/passes/branch-opt/ori-branch-opt.ts";
import { BranchOptState } from "../../../../engine/passes/branch-opt/state.ts";
import { oriPerformLiveDead } from "../../../../engine/passes/live-dead/live-dead.ts";
import { runPassOnce } from "../../../../engine/pipeline/run-phase.ts";
import { Remarks } from "../../../../engine/remark/remarks.ts";
import { freshSeed } from "../../../../engine/testing/seed.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { printModule } from "../../../../engine/text/printer.ts";
import { NO_RECORDER } from "../../../../engine/trace/recorder.ts";
import { boxRunner } from "../../box/runner.ts";
import { subjectOf, templateSource } from "./testing/subject.ts";

const PASSES = new URL("../../../../engine/passes/", import.meta.url);
/** Longer ones take long and add nothing. */
const MOST_CHARACTERS = 20_000;

const fixtures: readonly { readonly name: string; readonly module: Module }[] = readdirSync(PASSES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: family }) => {
    const folder = new URL(`${family}/fixtures/`, PASSES);
    const files = readdirSync(new URL(`${family}/`, PASSES)).includes("fixtures")
      ? readdirSync(folder).filter((file) => file.endsWith(".ori"))
      : [];
    return files.flatMap((file) => {
      const text = readFileSync(new URL(file, folder), "utf8");
      const { module, diagnostics } = parseModule(text);
      const bad = text.length > MOST_CHARACTERS || diagnostics.some((d) => d.severity === "error");
      return bad ? [] : [{ name: `${family}/${file}`, module }];
    });
  });

/** Rule `fold` of OriBranchOpt alone, over every block. */
function foldEverywhere(fn: Func): Func {
  const edit = new Editor(fn, NO_RECORDER);
  const state = new BranchOptState(edit, new Remarks(edit, NO_RECORDER, RULES, null), "notes");
  for (const id of fn.layout) fold.look(state, edit.block(id))?.request()?.commit();
  return edit.func;
}

function liveDead(fn: Func, module: Module): Func {
  const env = { module, target: targetOf("sm_90"), level: 3, policy: "notes", knobs: {}, rec: NO_RECORDER } as const;
  return runPassOnce(oriPerformLiveDead, "ori-perform-live-dead-first", fn, env).fn;
}

describe("ports of our passes", { timeout: 300_000 }, () => {
  const runner = boxRunner();

  it.each<[string, (fn: Func, module: Module) => Func]>([
    ["jump-to-next", foldEverywhere],
    ["dead-code", liveDead],
  ])("%s does what ours does", async (name, ours) => {
    const { code } = subjectOf(templateSource(name), runner);
    let changed = 0;
    // A third of them, a different third on every commit.
    for (const { name: fixture, module } of fixtures.filter((_, i) => i % 3 === freshSeed() % 3)) {
      for (const fn of module.funcs) {
        const program = guestProgram(fn, module);
        const answer = await runner.ask({
          ask: "run",
          code,
          program,
          source: [],
          skips: [],
          fuel: null,
          record: false,
          lines: 0,
          twice: false,
        });
        if (!("text" in answer)) throw new Error(`${fixture}: ${JSON.stringify(answer)}`);
        // Printed and parsed once, as the pass's program was, so that comments on removed instructions are missing in both.
        const again = parseModule(program.text).module;
        const expected = printModule({ ...again, funcs: [ours(again.funcs[0]!, again)], tail: [] });
        expect({ fixture, thrown: answer.thrown, text: answer.text }).toEqual({ fixture, thrown: null, text: expected });
        if (answer.changed) changed++;
      }
    }
    expect(fixtures.length).toBeGreaterThan(200);
    expect(changed).toBeGreaterThan(2);
  });
});
