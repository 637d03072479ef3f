import { describe, expect, it } from "vitest";
import { parse } from "../interp/testing/eval.ts";
import { Editor } from "../ir/edit.ts";
import type { Inst } from "../ir/types.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { Recording } from "../trace/recording.ts";
import { Trace } from "../trace/trace.ts";
import type { Interventions } from "./permits.ts";
import { Remarks } from "./remarks.ts";
import { type Looking, rule } from "./rule.ts";
import { line, pseudocodeOf, rules } from "./rules.ts";

interface State extends Looking {
  readonly edit: Editor;
}

const { fn } = parse(".func f(n: R0) -> R9\nBB0:\n    MOV R1, R0\n    MOV R2, R1\n    MOV R9, R2\n    RET\n");
const block = fn.blocks[fn.layout[0]!]!;
const [first, second, last] = [block.insts[0]!, block.insts[1]!, block.insts[3]!];

const remove = rule<State, Inst>()({
  line: "  remove it",
  found: "'{inst}' may go",
  done: "it is removed from {block}",
  missed: { control: { say: "'{inst}' is control flow" }, silent: { say: "'{inst}' is not counted", counts: false } },
  match: (_, inst, miss) => (inst.op === "RET" ? miss("control", { inst }) : { inst, block }),
  apply: ({ edit }, { inst }) => edit.remove(block.id, edit.block(block.id).insts.indexOf(inst)),
});
/** A rewrite with two forms, of a given size. */
const cut = rule<State, number>()({
  line: "  remove several",
  done: { one: "one is removed", more: "{count} are removed" },
  match: (_, count) => ({ done: count === 1 ? "one" : "more", count, amount: count }),
});
const RULES = rules({
  walk: line("for each instruction:", { step: "next" }),
  remove,
  cut,
  budget: line("  a budget", { missed: { spent: { say: "no more" } } }),
});

function open(interventions: Interventions | null = null) {
  const recording = new Recording(fn);
  const edit = new Editor(fn, recording);
  const remark = new Remarks(edit, recording, RULES, interventions);
  return {
    state: { edit, remark },
    remark,
    left: () => edit.block(block.id).insts.length,
    said: () => {
      const trace = new Trace(recording, fn);
      return Array.from({ length: trace.steps }, (_, i) => trace.event(i)).map(({ kind, sentence, focus }) => [
        kind,
        sentence,
        focus.insts?.length ?? 0,
      ]);
    },
  };
}

describe("a rule with its code", () => {
  it("has its line in the table", () => {
    expect(pseudocodeOf(RULES)).toEqual(["for each instruction:", "  remove it", "  remove several", "  a budget"]);
    expect([remove.name, remove.line]).toEqual(["remove", 2]);
  });

  it("matches, is requested and committed, and counts", () => {
    const at = open();
    const rewrite = remove.look(at.state, first)?.request();
    expect([at.left(), at.remark.report().asked, at.remark.rewrites]).toEqual([4, 1, 0]);
    rewrite?.commit();
    expect(at.left()).toBe(3);
    expect(at.said().map(([kind]) => kind)).toEqual(["match", "rewrite", "inst-delete"]);
    expect(at.remark.outcome({ none: "" })).toMatchObject({ matches: 1, rewrites: 1 });
    expect(at.remark.rewritesBy(remove)).toBe(1);
  });

  it("is counted by its forms and amounts when it is committed, and candidates by their line, with a listener or without", () => {
    const silent = new Remarks(new Editor(fn, NO_RECORDER), NO_RECORDER, RULES, null);
    for (const state of [open().state, { edit: open().state.edit, remark: silent }]) {
      const { remark } = state;
      for (const count of [1, 2, 3]) {
        remark.candidate(RULES.walk);
        cut.look(state, count)?.request()?.commit();
      }
      cut.look(state, 4)?.request();
      expect([remark.rewritesAs(cut, "one"), remark.rewritesAs(cut, "more"), remark.rewritesBy(cut)]).toEqual([1, 2, 3]);
      expect([remark.amountBy(cut), remark.candidates(RULES.walk), remark.candidates(RULES.remove)]).toEqual([6, 3, 0]);
    }
  });

  it("reports the condition that fails", () => {
    const at = open();
    expect(remove.look(at.state, last)).toBeNull();
    expect(at.said()).toEqual([["match", "'RET' is control flow", 1]]);
    expect(at.remark.outcome({ none: "" })).toMatchObject({ matches: 1, rewrites: 0, why: "every candidate was refused: control" });
  });

  it("is announced before a budget, and counted once whatever becomes of it", () => {
    const at = open();
    const match = remove.look(at.state, first);
    match?.announce();
    match?.request()?.commit();
    // The rewrite is about what its own sentence shows: the block.
    expect(at.said().slice(0, 2)).toEqual([
      ["match", "'MOV R1, R0' may go", 1],
      ["rewrite", "it is removed from BB0", 0],
    ]);
    const refused = remove.look(at.state, second);
    refused?.announce();
    refused?.refuse(RULES.budget, "spent");
    expect(at.remark.outcome({ none: "" })).toMatchObject({ matches: 2, rewrites: 1 });
    expect(at.remark.times(RULES.budget, "spent")).toBe(1);
  });

  it("may be refused, and is not requested again in the run", () => {
    const at = open({ skips: new Set([1]), fuel: null, drops: new Set() });
    const tryFirst = () => remove.look(at.state, first)?.request();
    expect([tryFirst(), tryFirst()]).toEqual([null, null]);
    expect(at.remark.report()).toMatchObject({ asked: 1, skipped: [1] });
    expect(at.said()[0]?.[1]).toBe("rewrite 1 is skipped ('MOV R1, R0' may go)");
    remove.look(at.state, second)?.request()?.commit();
    expect(at.left()).toBe(3);
  });

  it("does not compile when a hole is missing", () => {
    const wrong = (): void => {
      rule<State, Inst>()({
        line: "x",
        found: "'{inst}' may go to {target:block}",
        // @ts-expect-error `target` is missing
        match: (_, inst) => ({ inst }),
        apply: () => {},
      });
      rule<State, Inst>()({
        line: "x",
        missed: { no: { say: "{count} times" } },
        // @ts-expect-error an unknown reason
        match: (_, _inst, miss) => miss("nope"),
        apply: () => {},
      });
      rule<State, Inst>()({
        line: "x",
        missed: { no: { say: "{count} times" } },
        // @ts-expect-error the hole of the reason is missing
        match: (_, _inst, miss) => miss("no"),
        apply: () => {},
      });
    };
    expect(wrong).toBeTypeOf("function");
  });
});
