import { describe, expect, it } from "vitest";
import { randomInts } from "../analysis/testing/graphs.ts";
import { randomProgram } from "../analysis/testing/programs.ts";
import { freshSeed } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";
import { verifyFunc } from "../verify/verify.ts";
import { immOp, labelOp, regOp } from "./builder.ts";
import { Editor } from "./edit.ts";
import { applyOp, cloneToStore, type EditOp } from "./edit-op.ts";
import type { BlockId } from "./ids.ts";
import { reg, regName } from "./reg.ts";
import type { Func } from "./types.ts";
import { fallsThrough, isTerminator, phiInput, phisOf } from "./visit.ts";

function parse(text: string): Func {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return module.funcs[0]!;
}

function recording(): { readonly rec: Recorder; readonly ops: EditOp[] } {
  const ops: EditOp[] = [];
  return { rec: { ...NO_RECORDER, on: true, edit: (op) => ops.push(op) }, ops };
}

const errors = (fn: Func): string[] => verifyFunc(fn).flatMap((d) => (d.severity === "error" ? [`${d.code}: ${d.message}`] : []));

const labelled = (fn: Func, label: string): BlockId => fn.layout.find((id) => fn.blocks[id]?.label === label)!;
const labels = (fn: Func): string[] => fn.layout.map((id) => fn.blocks[id]!.label);
const namesOf = (fn: Func, ids: readonly BlockId[]): string[] => ids.map((id) => fn.blocks[id]!.label);
const succs = (fn: Func, label: string): string[] => namesOf(fn, fn.blocks[labelled(fn, label)]!.succs);
const ops = (fn: Func, label: string): string[] => fn.blocks[labelled(fn, label)]!.insts.map((inst) => inst.op);

/** The inputs of the first PHI of a block, by predecessor. */
function inputs(fn: Func, label: string): Record<string, unknown> {
  const block = fn.blocks[labelled(fn, label)]!;
  const phi = phisOf(block)[0]!;
  return Object.fromEntries(
    block.preds.map((pred) => {
      const value = phiInput(phi, pred);
      return [fn.blocks[pred]!.label, value?.kind === "imm" ? value.value : value];
    }),
  );
}

/** A block that exits or continues to a PHI, by every terminator that no BRA may follow. */
const leaving = (terminator: string): Func =>
  parse(`.kernel k(n: R0, p: P0, out: RD0)
.table JT0 base=0 { BB1, BB1 }
BB0:
${terminator}
BB1:
    PHI R1, [BB0: 1]${terminator.includes("JMX") ? "" : ", [BB2: 2]"}
    STG [RD0], R1
    EXIT
BB2:
    ${terminator.includes("JMX") ? "EXIT" : "BRA BB1"}
BB3:
    EXIT
`);

describe("fall-through made explicit", () => {
  it.each(["@P0 EXIT", "@!P0 KILL", "@P0 RET"])("stands in a block of its own after '%s'", (terminator) => {
    const fn = leaving(terminator);
    const edit = new Editor(fn, NO_RECORDER);
    const last = edit.materializeFallthrough(labelled(fn, "BB0"));
    expect(errors(edit.func)).toEqual([]);
    expect(labels(edit.func)).toEqual(["BB0", "BB0.else", "BB1", "BB2", "BB3"]);
    expect(edit.block(last).label).toBe("BB0.else");
    expect(succs(edit.func, "BB0")).toEqual(["BB0.else"]);
    expect(succs(edit.func, "BB0.else")).toEqual(["BB1"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB2: 2, "BB0.else": 1 });
    expect(edit.materializeFallthrough(last)).toBe(last);
    expect(edit.materializeFallthrough(labelled(fn, "BB0"))).toBe(last);
  });

  it("keeps the edge of a guarded table jump that goes to the next block as well", () => {
    const fn = leaving("@P0 JMX R0, JT0");
    const edit = new Editor(fn, NO_RECORDER);
    edit.materializeFallthrough(labelled(fn, "BB0"));
    expect(errors(edit.func)).toEqual([]);
    expect(succs(edit.func, "BB0")).toEqual(["BB1", "BB0.else"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1, "BB0.else": 1 });
  });

  it("is a second terminator after a conditional BRA and the only one in a plain block", () => {
    const fn = parse(`.kernel k(p: P0)
BB0:
@P0 BRA BB2
BB1:
    NOP
BB2:
    EXIT
`);
    const edit = new Editor(fn, NO_RECORDER);
    for (const id of fn.layout) expect(edit.materializeFallthrough(id)).toBe(id);
    expect(errors(edit.func)).toEqual([]);
    expect(fn.layout.map((id) => ops(edit.func, edit.block(id).label))).toEqual([["BRA", "BRA"], ["NOP", "BRA"], ["EXIT"]]);
  });

  it("changes nothing where control does not fall through", () => {
    const fn = leaving("@P0 EXIT");
    const edit = new Editor(fn, NO_RECORDER);
    expect(edit.materializeFallthrough(labelled(fn, "BB2"))).toBe(labelled(fn, "BB2"));
    expect(edit.materializeFallthrough(labelled(fn, "BB3"))).toBe(labelled(fn, "BB3"));
    expect(edit.editCount).toBe(0);
  });
});

describe("redirect", () => {
  it.each(["@P0 EXIT", "@!P0 KILL", "@P0 RET"])("leads the fall-through after '%s' through a block of its own", (terminator) => {
    const fn = leaving(terminator);
    const edit = new Editor(fn, NO_RECORDER);
    edit.redirect(labelled(fn, "BB0"), labelled(fn, "BB1"), labelled(fn, "BB3"));
    expect(errors(edit.func)).toEqual([]);
    expect(succs(edit.func, "BB0.else")).toEqual(["BB3"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB2: 2 });
  });

  it("changes the entries of a guarded table jump and its fall-through", () => {
    const fn = leaving("@P0 JMX R0, JT0");
    const edit = new Editor(fn, NO_RECORDER);
    edit.redirect(labelled(fn, "BB0"), labelled(fn, "BB1"), labelled(fn, "BB3"));
    expect(errors(edit.func).filter((e) => !e.includes("PHI"))).toEqual([]);
    expect(succs(edit.func, "BB0")).toEqual(["BB3", "BB0.else"]);
    expect(succs(edit.func, "BB0.else")).toEqual(["BB3"]);
    expect(inputs(edit.func, "BB1")).toEqual({});
  });

  it("gives PHIs what the way through a skipped block gave them", () => {
    const fn = parse(`.kernel k(p: P0, out: RD0)
BB0:
@P0 EXIT
BB1:
    BRA BB3
BB2:
    NOP
BB3:
    PHI R1, [BB1: 1], [BB2: 2]
    STG [RD0], R1
    EXIT
`);
    const edit = new Editor(fn, NO_RECORDER);
    const via = labelled(fn, "BB1");
    edit.redirect(labelled(fn, "BB0"), via, labelled(fn, "BB3"), edit.phiFrom(via));
    expect(errors(edit.func)).toEqual([]);
    expect(inputs(edit.func, "BB3")).toEqual({ BB1: 1, BB2: 2, "BB0.else": 1 });
  });

  it("changes a table for every block that uses it", () => {
    const fn = parse(`.kernel k(n: R0, p: P0)
.table JT0 base=0 default=BB3 { BB2, BB3 }
BB0:
@P0 BRA BB5
BB1:
    JMX R0, JT0
BB5:
    JMX R0, JT0
BB2:
    EXIT
BB3:
    PHI R1, [BB1: 1], [BB5: 2]
    EXIT
BB4:
    EXIT
`);
    const edit = new Editor(fn, NO_RECORDER);
    edit.redirect(labelled(fn, "BB1"), labelled(fn, "BB3"), labelled(fn, "BB4"));
    expect(errors(edit.func)).toEqual([]);
    for (const user of ["BB1", "BB5"]) expect(succs(edit.func, user)).toEqual(["BB2", "BB4"]);
    expect(inputs(edit.func, "BB3")).toEqual({});
    edit.redirect(labelled(fn, "BB5"), labelled(fn, "BB4"), labelled(fn, "BB3"), () => immOp(9));
    expect(errors(edit.func)).toEqual([]);
    expect(inputs(edit.func, "BB3")).toEqual({ BB1: 9, BB5: 9 });
  });

  it("changes both branches of a pair, and nothing when no way leads there", () => {
    const fn = parse(`.kernel k(p: P0)
BB0:
@P0 BRA BB1
    BRA BB1
BB1:
    EXIT
BB2:
    EXIT
`);
    const edit = new Editor(fn, NO_RECORDER);
    edit.redirect(labelled(fn, "BB1"), labelled(fn, "BB0"), labelled(fn, "BB2"));
    expect(edit.editCount).toBe(0);
    edit.redirect(labelled(fn, "BB0"), labelled(fn, "BB1"), labelled(fn, "BB2"));
    expect(errors(edit.func)).toEqual([]);
    expect(succs(edit.func, "BB0")).toEqual(["BB2"]);
  });
});

const LOOP = `.kernel k(p: P0, out: RD0)
BB0:
    MOV R2, 5
BB1:
    PHI R1, [BB0: 1], [BB1: 2]
    STG [RD0], R1
    STG [RD0+4], R2
@P0 BRA BB1
BB2:
    EXIT
`;

describe("blocks", () => {
  it("split with their self-loop: the new block is the predecessor", () => {
    const fn = parse(LOOP);
    const edit = new Editor(fn, NO_RECORDER);
    const rest = edit.splitBlock(labelled(fn, "BB1"), 2, "BB1.tail");
    expect(errors(edit.func)).toEqual([]);
    expect(ops(edit.func, "BB1")).toEqual(["PHI", "STG"]);
    expect(edit.block(rest).insts.map((inst) => inst.op)).toEqual(["STG", "BRA"]);
    expect(succs(edit.func, "BB1")).toEqual(["BB1.tail"]);
    expect(succs(edit.func, "BB1.tail")).toEqual(["BB1", "BB2"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1, "BB1.tail": 2 });
  });

  it("take a new tail, edges and PHI inputs included", () => {
    const fn = parse(LOOP);
    const edit = new Editor(fn, NO_RECORDER);
    edit.replaceTail(labelled(fn, "BB1"), 2, [edit.make("BRA", [labelOp(labelled(fn, "BB2"))])]);
    expect(errors(edit.func)).toEqual([]);
    expect(ops(edit.func, "BB1")).toEqual(["PHI", "STG", "BRA"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1 });
    edit.replaceTail(labelled(fn, "BB2"), 0, [edit.make("BRA", [labelOp(labelled(fn, "BB1"))])], () => immOp(3));
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1, BB2: 3 });
  });

  it("move once their fall-throughs are written out", () => {
    const fn = parse(LOOP);
    const edit = new Editor(fn, NO_RECORDER);
    for (const id of fn.layout) edit.materializeFallthrough(id);
    const before = fn.layout.map((id) => namesOf(edit.func, edit.block(id).succs));
    edit.moveBlock(labelled(fn, "BB2"), 1);
    expect(labels(edit.func)).toEqual(["BB0", "BB2", "BB1"]);
    edit.moveBlock(labelled(fn, "BB1"), 1);
    expect(labels(edit.func)).toEqual(["BB0", "BB1", "BB2"]);
    expect(fn.layout.map((id) => namesOf(edit.func, edit.block(id).succs))).toEqual(before);
    expect(errors(edit.func)).toEqual([]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1, BB1: 2 });
  });

  it("go one by one: what fell into them falls on, with the inputs given", () => {
    const fn = parse(`.kernel k(p: P0, out: RD0)
BB0:
@P0 BRA BB2
BB1:
    NOP
BB2:
    PHI R1, [BB0: 1], [BB1: 2]
    STG [RD0], R1
    EXIT
`);
    const edit = new Editor(fn, NO_RECORDER);
    edit.removeBlock(labelled(fn, "BB1"), () => immOp(8));
    expect(errors(edit.func)).toEqual([]);
    // The edge existed already: it keeps its input.
    expect(inputs(edit.func, "BB2")).toEqual({ BB0: 1 });
    expect(edit.freshLabel("BB1")).toBe("BB1");
  });

  it("go together, without edges between the halves", () => {
    const text = `.kernel k(out: RD0)
BB0:
    BRA BB4
BB1:
    NOP
BB2:
    NOP
BB3:
    BRA BB1
BB4:
    EXIT
`;
    const fn = parse(text);
    const doomed = ["BB1", "BB2", "BB3"].map((label) => labelled(fn, label));
    for (const order of [doomed, doomed.toReversed()]) {
      const { rec, ops: recorded } = recording();
      const edit = new Editor(fn, rec);
      edit.removeBlocks(order);
      expect(labels(edit.func)).toEqual(["BB0", "BB4"]);
      expect(errors(edit.func)).toEqual([]);
      const gained = recorded.filter((op) => op.op === "succs" && op.after.length > op.before.length);
      expect(gained).toEqual([]);
    }
  });

  it("swept with and without a recorder end up the same", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const fn = randomProgram(seed, 6);
      const results = [NO_RECORDER, recording().rec].map((rec) => {
        const below = randomInts(seed * 31 + 5);
        const edit = new Editor(fn, rec);
        for (const id of fn.layout) {
          const doomed = new Set(edit.block(id).insts.flatMap((inst) => (below(2) === 0 ? [inst.id] : [])));
          expect(
            edit.sweep(id, (inst) => doomed.has(inst.id)),
            `seed ${seed}`,
          ).toBe(doomed.size);
        }
        return snapshot(edit.func);
      });
      expect(results[0], `seed ${seed}`).toEqual(results[1]);
    }
  });

  it("say what goes right before it goes, from the last to the first", () => {
    const fn = parse(LOOP);
    const edit = new Editor(fn, recording().rec);
    const id = labelled(fn, "BB1");
    const seen: [string, number][] = [];
    edit.sweep(
      id,
      (inst) => inst.op === "STG",
      (inst) => seen.push([inst.op, edit.block(id).insts.indexOf(inst)]),
    );
    expect(seen).toEqual([
      ["STG", 2],
      ["STG", 1],
    ]);
  });
});

describe("single instructions", () => {
  it("are inserted, replaced, moved and removed, and edges follow terminators", () => {
    const fn = parse(LOOP);
    const edit = new Editor(fn, NO_RECORDER);
    const [bb0, bb1, bb2] = fn.layout as [BlockId, BlockId, BlockId];
    edit.insert(bb0, 0, edit.make("NOP", []));
    edit.move(bb1, 2, bb0, 2);
    expect(ops(edit.func, "BB0")).toEqual(["NOP", "MOV", "STG"]);
    edit.replace(bb2, 0, edit.make("BRA", [labelOp(bb1)]), () => immOp(4));
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1, BB1: 2, BB2: 4 });
    edit.remove(bb1, edit.block(bb1).insts.length - 1);
    expect(succs(edit.func, "BB1")).toEqual(["BB2"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1, BB2: 4 });
    expect(errors(edit.func)).toEqual([]);
    expect(() => edit.move(bb2, 0, bb0, 0)).toThrow("internal");
    expect(fn.blocks[bb0]!.insts.length).toBe(1);
  });

  it("name tables that come and go", () => {
    const fn = parse(LOOP);
    const edit = new Editor(fn, NO_RECORDER);
    const [, bb1, bb2] = fn.layout as [BlockId, BlockId, BlockId];
    edit.setTable({ name: "T", base: 0, default: null, entries: [bb1, bb2], line: 0 });
    const jump = edit.make("JMX", [regOp(reg("R", 2)), { kind: "table", name: "T" }]);
    edit.setTerminators(bb1, [jump]);
    expect(succs(edit.func, "BB1")).toEqual(["BB1", "BB2"]);
    edit.setTable({ name: "T", base: 0, default: null, entries: [bb2], line: 0 });
    expect(succs(edit.func, "BB1")).toEqual(["BB2"]);
    expect(inputs(edit.func, "BB1")).toEqual({ BB0: 1 });
    edit.setTerminators(bb1, []);
    edit.removeTable("T");
    expect([...edit.func.tables.keys()]).toEqual([]);
    expect(errors(edit.func)).toEqual([]);
  });
});

/** Everything that an edit may change, but the counters. */
function snapshot(fn: Func): unknown {
  const { layout, tables, flags } = fn;
  return structuredClone({ layout, tables: [...tables], flags, blocks: fn.blocks.filter((b) => b !== undefined) });
}

/** Rules that every public operation keeps, given PHI values for new edges. */
const KEPT = new Set(["VER001", "VER002", "VER003", "VER004", "VER005", "VER018"]);

/** One random operation; fall-throughs are materialized first if the operation requires it. */
function randomEdit(edit: Editor, below: (n: number) => number): string {
  const { layout } = edit.func;
  const pick = (): BlockId => layout[below(layout.length)]!;
  const phi = () => immOp(7);
  const id = pick();
  const { insts } = edit.block(id);
  const guard = { reg: reg("P", 0), neg: below(2) === 0 };
  const body = insts.findIndex((inst) => inst.op !== "PHI");
  const heads = body < 0 ? insts.length : body;
  const end = insts.findIndex(isTerminator);
  const plain = (end < 0 ? insts.length : end) - heads;
  switch (below(14)) {
    case 0:
      edit.redirect(id, edit.block(id).succs[0] ?? id, pick(), phi);
      return "redirect";
    case 1:
      edit.materializeFallthrough(id);
      return "materializeFallthrough";
    case 2: {
      // Guarded or not, so that control may fall through after any of them; at the end of the layout it may not.
      const parts = edit.next(id) === null || below(3) === 0 ? {} : { guard };
      edit.setTerminators(id, [edit.make((["EXIT", "RET", "KILL"] as const)[below(3)]!, [], parts)], phi);
      return "setTerminators exit";
    }
    case 3: {
      const name = `S${below(2)}`;
      const known = edit.func.tables.get(name);
      // A table that is no longer used may name deleted blocks.
      const stale = known === undefined || [...known.entries, known.default].some((to) => to === null || !layout.includes(to));
      if (stale) edit.setTable({ name, base: 0, default: pick(), entries: [pick(), pick()], line: 0 }, phi);
      const parts = edit.next(id) === null || below(3) > 0 ? {} : { guard };
      edit.setTerminators(id, [edit.make("JMX", [regOp(reg("R", 0)), { kind: "table", name }], parts)], phi);
      return "setTerminators table";
    }
    case 4:
      edit.setTerminators(id, [edit.make("BRA", [labelOp(pick())], { guard }), edit.make("BRA", [labelOp(pick())])], phi);
      return "setTerminators pair";
    case 5:
      edit.splitBlock(id, heads + below(plain + 1), "split");
      return "splitBlock";
    case 6:
      edit.replaceTail(id, heads + below(plain + 1), [edit.make("NOP", []), edit.make("BRA", [labelOp(pick())])], phi);
      return "replaceTail";
    case 7: {
      // What runs off the end of the layout has no edge to write out.
      const last = layout.at(-1) as BlockId;
      if (fallsThrough(edit.block(last))) edit.setTerminators(last, [edit.make("EXIT", [])]);
      for (const each of [...layout]) edit.materializeFallthrough(each);
      const others = edit.func.layout.filter((each) => each !== id);
      const to = below(others.length + 1);
      const above = others[to - 1];
      // A guarded table jump keeps its fall-through: no block may be inserted between it and the next one, and that one may not be moved.
      const before = edit.func.layout[edit.func.layout.indexOf(id) - 1];
      const around = [id, above, before].filter((each) => each !== undefined);
      if (around.some((each) => fallsThrough(edit.block(each)))) return "materializeFallthrough of all";
      edit.moveBlock(id, to);
      return "moveBlock";
    }
    case 8:
    case 9: {
      const other = pick();
      if (other === id || layout.length < 3) return "nothing";
      for (const pred of [...edit.block(id).preds]) edit.redirect(pred, id, other, phi);
      if (edit.block(id).preds.length > 0) return "redirect of all";
      if (below(2) === 0) edit.removeBlock(id, phi);
      else edit.removeBlocks([id], phi);
      return "removeBlock";
    }
    case 10:
      edit.addBlock("new", below(layout.length), [edit.make("NOP", [])], phi);
      return "addBlock";
    case 11:
      edit.sweep(id, (inst, at) => !isTerminator(inst) && at % 2 === 0);
      return "sweep";
    case 12:
      if (plain > 0) edit.move(id, heads, id, heads + plain - 1);
      return "move";
    default:
      edit.setField(id, "flags", below(100));
      edit.setWeight(id, below(5));
      edit.setFuncFlags(below(4));
      return "annotations";
  }
}

describe("random edit sequences", () => {
  it("keep the graph sound, and their records lead back and forth", () => {
    for (let seed = 1; seed <= 400; seed++) {
      const start = randomProgram(seed, 7);
      const below = randomInts(seed * 7919 + 3);
      const { rec, ops: recorded } = recording();
      const edit = new Editor(start, rec);
      const untouched = snapshot(start);
      edit.setTerminators(start.layout.at(-1)!, [edit.make("EXIT", [])]);
      const done: string[] = [];
      for (let i = 0; i < 25; i++) {
        done.push(randomEdit(edit, below));
        const broken = verifyFunc(edit.func).filter((d) => KEPT.has(d.code));
        expect(broken, `seed ${seed}, after ${done.join(", ")}`).toEqual([]);
      }
      const after = snapshot(edit.func);
      expect(snapshot(start), `seed ${seed}: the function given changed`).toEqual(untouched);
      const store = cloneToStore(edit.func);
      for (const op of recorded.toReversed()) applyOp(store, op, true);
      expect(snapshot(store.func), `seed ${seed}: back`).toEqual(untouched);
      for (const op of recorded) applyOp(store, op);
      expect(snapshot(store.func), `seed ${seed}: forth`).toEqual(after);
    }
  });
});

describe("fresh registers", () => {
  it("follow the highest one, and after the last one they fill gaps", () => {
    const fn = parse(`.func f(a: R0, b: R2) -> R16777215, P0
BB0:
    ISETP.LT P16777215, R0, R2
    PMOV P0, P16777215
    IADD R16777215, R0, R2
    RET
`);
    const edit = new Editor(fn, NO_RECORDER);
    const names = (["R", "R", "P", "P", "RD", "R"] as const).map((cls) => regName(edit.freshReg(cls)));
    expect(names).toEqual(["R1", "R3", "P1", "P2", "RD0", "R4"]);
    expect(errors(edit.func)).toEqual([]);
  });
});

describe("a loose layout", () => {
  it("gives what removing and moving one by one gives", () => {
    const seed = freshSeed(100_000);
    const next = randomInts(seed);
    for (let round = 0; round < 60; round++) {
      const count = 3 + next(12);
      const text = Array.from({ length: count }, (_, i) => `BB${i}:\n    IADD R${i}, R0, ${i}${i % 3 === 2 ? "\n    EXIT" : ""}`).join(
        "\n",
      );
      const fn = parse(`.kernel k(n: R0)\n${text}\n    EXIT\n`);
      const [plain, loose] = [new Editor(fn, recording().rec), new Editor(fn, NO_RECORDER)];
      const steps = Array.from({ length: count }, () => [next(4), fn.layout[1 + next(count - 1)]!] as const);
      const work = (edit: Editor, look: boolean) => (): void => {
        for (const [what, id] of steps) {
          if (!edit.has(id)) continue;
          if (what < 2) edit.removeBlock(id);
          else if (what === 2) edit.moveToEnd(id);
          else if (look) expect(edit.func.layout).toContain(id);
          const following = edit.has(id) ? edit.next(id) : null;
          if (following !== null) expect(edit.previous(following)).toBe(id);
        }
      };
      plain.loosely(work(plain, false));
      loose.loosely(work(loose, round % 2 === 0));
      expect([seed, loose.func.layout]).toEqual([seed, plain.func.layout]);
      expect(loose.func.blocks.map((b) => b?.succs)).toEqual(plain.func.blocks.map((b) => b?.succs));
      expect(loose.func.blocks.map((b) => b?.preds.toSorted())).toEqual(plain.func.blocks.map((b) => b?.preds.toSorted()));
    }
  });
});
