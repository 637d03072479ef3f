import { describe, expect, it } from "vitest";
import { parse } from "../interp/testing/eval.ts";
import { Editor } from "../ir/edit.ts";
import type { Inst } from "../ir/types.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { Recording } from "../trace/recording.ts";
import { Trace } from "../trace/trace.ts";
import { decisionOf } from "./decision.ts";
import type { Interventions } from "./permits.ts";
import { Remarks } from "./remarks.ts";
import { type Looking, rule } from "./rule.ts";
import { line, pseudocodeOf, reasonsOf, rules } from "./rules.ts";
import { Snapshots } from "./snapshots.ts";

interface Removal {
  readonly inst: Inst | (() => Inst);
  readonly edits?: () => unknown;
}

const RULES = rules({
  walk: line("for each block:", {
    step: { block: "{block}: {count} {count:instruction|instructions}", end: { kind: "note", say: "done" } },
  }),
  gate: line("  the gate", { gates: { old: { open: "version {version} is old", shut: "version {version} is new" } } }),
  copy: line("  a copy:", { step: "'{inst}' writes {dest:reg}" }),
  check: line("    its source has one use", {
    stays: "'{inst}' in {block} stays: {why}",
    missed: {
      uses: { code: "G1", say: "{source:reg} is read in {count} {count:place|places}", droppable: "readers find nothing" },
      phi: { code: "G1", say: "it is a PHI" },
      routine: { say: "nothing to do", counts: false },
    },
  }),
  remove: rule<Looking, Removal>()({
    line: "    remove it",
    found: "'{inst}' may go",
    done: "'{inst}' goes from {block}",
    // A function among the values is a value made late.
    match: (_, removal) => ({ inst: removal.inst, block: entry, removal }),
    apply: (_, { removal }) => void removal.edits?.(),
  }),
  read: rule<Looking, number>()({
    line: null,
    found: "'{inst}' may read something else",
    missed: { budget: { silent: true, say: "the budget is spent" } },
    match: (_, index) => ({ inst: first, operands: [[first.id, index]] as const }),
  }),
});

const { fn } = parse(".func f(n: R0) -> R9\nBB0:\n    MOV R1, R0\n    MOV R2, R1\n    MOV R9, R2\n    RET\n");
const entry = fn.blocks[fn.layout[0]!]!;
const [first, second] = [entry.insts[0]!, entry.insts[1]!];
const request = (at: Looking, inst: Removal["inst"], edits?: () => unknown) =>
  RULES.remove.look(at, { inst, ...(edits && { edits }) })?.request();

function listening(given: Interventions | null = null) {
  const recording = new Recording(fn);
  const edit = new Editor(fn, recording);
  const remark = new Remarks(edit, recording, RULES, given);
  return {
    remark,
    edit,
    marks: () => new Trace(recording, fn).rewrites,
    events: () => {
      const trace = new Trace(recording, fn);
      return Array.from({ length: trace.steps }, (_, i) => trace.event(i));
    },
  };
}

const dest = (inst: typeof first) => (inst.ops[0]?.kind === "reg" ? inst.ops[0].reg : null);
const skipping = (...skips: number[]): Interventions => ({ skips: new Set(skips), fuel: null, drops: new Set() });

describe("a table", () => {
  it("is the pseudocode, numbered in its order", () => {
    expect(pseudocodeOf(RULES)[2]).toBe("  a copy:");
    expect([RULES.walk.line, RULES.remove.line, RULES.remove.name]).toEqual([1, 5, "remove"]);
    expect(reasonsOf(RULES).map((r) => [r.name, r.condition, r.index])).toEqual([
      ["uses", "G1", 0],
      ["phi", "G1", 1],
      ["routine", "routine", 2],
      ["budget", "budget", 3],
    ]);
  });

  it("numbers a rule once", () => {
    expect(() => rules({ again: RULES.copy })).toThrow("'again' is in a table already, as 'copy'");
  });

  it("refuses a mark that does not exist", () => {
    expect(() => line("x", { step: "{a:instruction}" as string }).steps.get("")?.template.text).toThrow("there is no mark 'instruction'");
  });
});

describe("what is wrong", () => {
  const { remark } = listening();
  it("does not compile", () => {
    // Never called: the compiler is the test.
    const wrong = (): void => {
      // @ts-expect-error an unknown reason
      remark.missed(RULES.check, "use", { inst: first, block: entry, source: null, count: 1 });
      // @ts-expect-error a missing hole of the clause
      remark.missed(RULES.check, "uses", { inst: first, block: entry, count: 1 });
      // @ts-expect-error a missing hole of the frame
      remark.missed(RULES.check, "uses", { inst: first, source: null, count: 1 });
      // @ts-expect-error a hole that does not exist
      remark.step(RULES.copy, { inst: first, dest: null, other: 1 });
      // @ts-expect-error an id where a plain number belongs
      remark.step(RULES.walk, "block", { block: entry, count: entry.id });
      // @ts-expect-error a register where an instruction belongs
      remark.step(RULES.copy, { inst: dest(first), dest: dest(first) });
      // @ts-expect-error a sentence that the line does not have
      remark.step(RULES.walk, "begin", {});
      // @ts-expect-error the line has no step
      remark.step(RULES.check, {});
      // @ts-expect-error not a condition that can be dropped
      remark.holds(RULES.check, "phi", false, { inst: first, block: entry });
      // @ts-expect-error an unknown gate
      remark.gate(RULES.gate, "new", true, { version: 1 });
    };
    expect(wrong).toBeTypeOf("function");
  });
});

describe("remarks", () => {
  it("make text, facts and focus from values", () => {
    const { remark, events } = listening();
    remark.span(RULES.walk, "block", { block: entry, count: 4 }, () =>
      remark.step(RULES.copy, { inst: first, dest: dest(first), block: entry.id }),
    );
    remark.step(RULES.walk, "end");
    const [walk, copy, end] = events();
    expect(walk).toMatchObject({
      line: 1,
      kind: "visit",
      sentence: "BB0: 4 instructions",
      facts: { block: "BB0", count: 4 },
      focus: { blocks: [0] },
    });
    expect(copy).toMatchObject({ parent: 0, line: 3, sentence: "'MOV R1, R0' writes R1", focus: { blocks: [0], insts: [first.id] } });
    expect(copy?.focus.regs).toBeUndefined();
    expect(end).toMatchObject({ kind: "note", sentence: "done", depth: 0 });
  });

  it("tell a refusal in its frame, with the clause as why", () => {
    const { remark, events } = listening();
    expect(remark.missed(RULES.check, "uses", { inst: first, block: entry, source: dest(first), count: 2 })).toBeNull();
    const [event] = events();
    expect(event).toMatchObject({
      kind: "match",
      line: 4,
      sentence: "'MOV R1, R0' in BB0 stays: R1 is read in 2 places",
      facts: { why: "R1 is read in 2 places", verdict: "no", condition: "G1" },
    });
    expect(decisionOf(event!.kind, event!.line, event!.facts, event!.focus)).toEqual({
      line: 4,
      verdict: "no",
      reason: "G1",
      form: "",
      about: `inst ${first.id}`,
    });
  });

  it("make values only when somebody listens", () => {
    const silent = new Remarks(new Editor(fn, NO_RECORDER), NO_RECORDER, RULES, null);
    const fail = (): never => {
      throw new Error("asked for");
    };
    silent.step(RULES.copy, { inst: fail, dest: null });
    silent.missed(RULES.check, "phi", fail);
    let performed = 0;
    request({ remark: silent }, fail, () => performed++)?.commit();
    expect(performed).toBe(1);
    expect(silent.gate(RULES.gate, "old", true, fail)).toBe(true);
    expect(silent.listening).toBe(false);
  });

  it("say in one sentence why nothing was done", () => {
    const { remark } = listening();
    expect(remark.outcome({ none: "no copy" })).toEqual({ matches: 0, rewrites: 0, why: "no copy" });
    remark.missed(RULES.check, "routine", { inst: first, block: entry });
    expect(remark.outcome({ none: "no copy" }).why).toBe("no copy");
    remark.missed(RULES.check, "phi", { inst: first, block: entry });
    remark.missed(RULES.check, "uses", { inst: first, block: entry, source: null, count: 2 });
    expect(remark.outcome({ none: "no copy", each: "every copy" })).toEqual({
      matches: 2,
      rewrites: 0,
      why: "every copy was refused: G1 (2 times)",
    });
  });

  it("tell a gate and answer it", () => {
    const { remark, events } = listening();
    expect(remark.gate(RULES.gate, "old", false, { version: 9 })).toBe(false);
    expect(events()[0]).toMatchObject({ kind: "gate", sentence: "version 9 is new", facts: { gate: "old", ok: false } });
  });
});

describe("a rewrite", () => {
  /** Whether it was granted. */
  function remove(at: ReturnType<typeof listening>, inst: Inst): boolean {
    const rewrite = request(at, inst, () => at.edit.remove(entry.id, at.edit.block(entry.id).insts.indexOf(inst)));
    rewrite?.commit();
    return rewrite !== undefined && rewrite !== null;
  }

  it("is asked for once, told and counted; its edits stand on its line", () => {
    const at = listening();
    remove(at, first);
    expect(at.events().map((e) => [e.kind, e.line, e.depth, e.sentence])).toEqual([
      ["match", 5, 0, "'MOV R1, R0' may go"],
      ["rewrite", 5, 0, "'MOV R1, R0' goes from BB0"],
      ["inst-delete", 5, 1, expect.stringContaining("MOV R1, R0")],
    ]);
    expect(at.remark.report()).toMatchObject({ asked: 1, skipped: [] });
    expect(at.remark.outcome({ none: "" })).toMatchObject({ rewrites: 1, why: null });
  });

  it("that is skipped is said, and is not asked for again", () => {
    const at = listening(skipping(1));
    expect([remove(at, first), remove(at, first)]).toEqual([false, false]);
    remove(at, second);
    expect(at.remark.report()).toMatchObject({ asked: 2, skipped: [1] });
    expect(at.edit.block(entry.id).insts).toHaveLength(3);
    expect(at.events()[0]).toMatchObject({
      sentence: "rewrite 1 is skipped ('MOV R1, R0' may go)",
      facts: { n: 1, verdict: "no", condition: "skipped" },
    });
  });

  it("at the line of another rule has that line, and is told apart by its operands", () => {
    const at = listening(skipping(1));
    const read = (index: number) => RULES.read.look(at, index)?.request() ?? null;
    expect([read(1), read(1), read(2) === null]).toEqual([null, null, false]);
    expect(RULES.read.line).toBe(RULES.remove.line);
    expect(pseudocodeOf(RULES)).toHaveLength(5);
  });

  it("that a budget refuses is counted, and not told again", () => {
    const at = listening();
    at.remark.missed(RULES.read, "budget");
    expect(at.events()).toEqual([]);
    expect(at.remark.outcome({ none: "" })).toMatchObject({ matches: 1, why: "every candidate was refused: budget" });
  });

  it("takes fuel, and none is left for the next", () => {
    const fuel = { left: 1 };
    const at = listening({ skips: new Set(), fuel, drops: new Set() });
    remove(at, first);
    expect(remove(at, second)).toBe(false);
    expect([fuel.left, at.remark.report().unfuelled]).toEqual([0, 1]);
  });
});

describe("a rewrite in two phases", () => {
  it("is neither told nor counted before it is committed", () => {
    const at = listening();
    let performed = 0;
    const rewrite = request(at, first, () => performed++);
    expect([performed, at.remark.rewrites, at.remark.report().asked, at.events().length]).toEqual([0, 0, 1, 0]);
    rewrite?.commit();
    expect([performed, at.remark.rewrites, at.remark.rewritesBy(RULES.remove), at.events().length]).toEqual([1, 1, 1, 2]);
  });

  it("keeps the number of its request when others are committed before it", () => {
    const at = listening(skipping(2));
    const one = request(at, first);
    expect(request(at, second)).toBeNull();
    RULES.read.look(at, 0)?.request()?.commit();
    one?.commit();
    expect(at.marks().map(({ n, refused }) => [n, refused])).toEqual([
      [2, true],
      [3, false],
      [1, false],
    ]);
  });

  it("is one of several that one edit performs, after all were told", () => {
    const at = listening();
    const told: number[] = [];
    const staged = { count: 0 };
    for (const inst of [first, second]) request(at, inst)?.stage(staged);
    at.remark.commitTogether(staged, () => told.push(at.events().length));
    expect([told, at.remark.rewrites]).toEqual([[4], 2]);
  });

  it("may be staged: reported at once, and no program between rewrites is recorded before its edit", () => {
    const snapshots = new Snapshots();
    const at = listening({ skips: new Set(), fuel: { left: 9, snapshots }, drops: new Set() });
    const staged = { count: 0 };
    request(at, first)?.stage(staged);
    expect([at.remark.rewrites, at.marks().length]).toEqual([1, 1]);
    request(at, second, () => void at.edit.remove(entry.id, 1))?.commit();
    at.remark.commitTogether(staged, () => at.edit.remove(entry.id, 0));
    request(at, at.edit.block(entry.id).insts[0]!);
    snapshots.end(at.edit);
    expect([0, 1, 2].map((n) => snapshots.after(n)?.blocks[entry.id]?.insts.length)).toEqual([4, undefined, 2]);
    expect(at.remark.rewrites).toBe(2);
  });
});

describe("a condition", () => {
  it("that is dropped is taken to hold, and it is reported that it mattered", () => {
    const at = listening({ skips: new Set(), fuel: null, drops: new Set(["uses"]) });
    const uses = { inst: first, block: entry, source: null, count: 2 };
    expect(at.remark.report().dropped).toEqual([]);
    expect(at.remark.holds(RULES.check, "uses", false, uses)).toBe(true);
    expect(at.remark.report().dropped).toEqual(["uses"]);
    expect(at.events()).toEqual([]);
  });

  it("that does not hold is a refusal", () => {
    const at = listening();
    const uses = { inst: first, block: entry, source: null, count: 2 };
    expect(at.remark.holds(RULES.check, "uses", true, uses)).toBe(true);
    expect(at.remark.holds(RULES.check, "uses", false, uses)).toBe(false);
    expect(at.remark.times(RULES.check, "uses")).toBe(1);
  });
});
