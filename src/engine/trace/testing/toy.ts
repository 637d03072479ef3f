/** A function and a pass for tests of the trace: seeded random edits of every sort, with spans, matches and an observed structure. */

import { immOp, labelOp, makeBlock, makeInst, regOp } from "../../ir/builder.ts";
import type { Editor } from "../../ir/edit.ts";
import { BLOCK_FLAG } from "../../ir/flags.ts";
import { type BlockId, blockId, instId } from "../../ir/ids.ts";
import { PT, reg } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { computeSuccs, isTerminator } from "../../ir/visit.ts";
import type { Pass } from "../../passes/pass.ts";
import type { Recorder } from "../recorder.ts";

/** `n` blocks in a line, block i also branching to block (3i + 1) mod n, the last one ending. */
export function toyFunc(n: number): Func {
  let next = 0;
  const inst = (op: Inst["op"], ops: Inst["ops"], extra = {}): Inst => makeInst(instId(next++), op, ops, { line: next, ...extra });
  const blocks = Array.from({ length: n }, (_, i) => {
    const body = [inst("IADD", [regOp(reg("R", i % 7)), regOp(reg("R", (i + 1) % 7)), immOp(i)])];
    if (i === n - 1) body.push(inst("EXIT", []));
    else
      body.push(inst("BRA", [labelOp(blockId((3 * i + 1) % n))], { guard: { reg: i % 5 === 0 ? PT : reg("P", i % 3), neg: i % 5 === 0 } }));
    return makeBlock(blockId(i), `BB${i}`, body, i + 1);
  });
  const layout = blocks.map((b) => b.id);
  const bare: Func = {
    kind: "kernel",
    name: "toy",
    params: [],
    returns: [],
    blockSize: null,
    blocks,
    layout,
    tables: new Map(),
    flags: 0,
    nextInst: next,
    nextReg: [8, 0, 4, 0, 0, 0, 0, 0],
    version: 0,
    codeVersion: 0,
    cfgVersion: 0,
    line: 1,
    trivia: null,
  };
  const withSuccs = blocks.map((b, i) => ({ ...b, succs: computeSuccs(bare, b, layout[i + 1] ?? null) }));
  const preds = blocks.map((): BlockId[] => []);
  for (const b of withSuccs) for (const s of b.succs) preds[s]?.push(b.id);
  return { ...bare, blocks: withSuccs.map((b, i) => ({ ...b, preds: preds[i] ?? [] })) };
}

/** Makes `rounds` random edits; `random` gives unsigned 32-bit numbers. */
export function toyEdits(edit: Editor, rec: Recorder, rounds: number, random: () => number): void {
  const list = rec.structure("worklist", "work", "Worklist");
  for (let round = 0; round < rounds; round++) {
    const { layout } = edit.func;
    const id = layout[random() % layout.length] as BlockId;
    if (rec.on) rec.begin("visit", 2, "{block} is visited", { block: edit.block(id).label, round }, { blocks: [id] });
    rec.at(3);
    const { insts } = edit.block(id);
    const at = random() % insts.length;
    const plain = !isTerminator(insts[at] as Inst);
    if (rec.on) {
      const verdict = plain ? "yes" : "no";
      rec.event(
        "match",
        4,
        "place {at} of {block}: {verdict}",
        { at, block: edit.block(id).label, verdict, condition: "plain" },
        { blocks: [id], insts: [(insts[at] as Inst).id] },
      );
    }
    switch (random() % 9) {
      case 0:
        edit.insert(id, 0, edit.make("MOV", [regOp(edit.freshReg("R")), immOp(round)]));
        break;
      case 1:
        if (plain) edit.remove(id, at);
        break;
      case 2:
        if (plain) edit.replace(id, at, { ...(insts[at] as Inst), op: "ISUB" });
        break;
      case 3:
        if (plain) edit.move(id, at, layout[random() % layout.length] as BlockId, 0);
        break;
      case 4: {
        const from = edit.block(id).succs[0];
        if (from !== undefined) edit.redirect(id, from, layout[random() % layout.length] as BlockId);
        break;
      }
      case 5:
        edit.addBlock("NEW", 1 + (random() % layout.length) - (layout.length > 1 ? 1 : 0) || 1, [edit.make("EXIT", [])]);
        break;
      case 6:
        edit.setField(id, "flags", edit.block(id).flags ^ (random() % 2 === 0 ? BLOCK_FLAG.LOOP_HEADER : BLOCK_FLAG.IN_LOOP));
        break;
      case 7:
        edit.setField(id, "rpo", random() % 100);
        edit.setFuncFlags(random() % 64);
        break;
      default: {
        // Only a block that nothing reaches may go.
        const dead = layout.find(
          (b, i) => i > 0 && edit.block(b).preds.length === 0 && edit.block(layout[i - 1] as BlockId).succs.every((s) => s !== b),
        );
        if (dead !== undefined && layout.length > 2) edit.removeBlock(dead);
      }
    }
    rec.cell(list, `w${random() % 16}`, random() % 4 === 0 ? undefined : { round, id });
    if (random() % 3 === 0) rec.cell(list, "meta", { round });
    if (rec.on) rec.event("note", 5, "round {round} is over", { round }, { nodes: ["work/meta"] });
    rec.end();
  }
}

/** The same edits as a registered pass would make them. */
export function toyPass(rounds: number, makeRandom: () => () => number): Pass {
  return {
    family: "toy",
    ids: ["ori-branch-opt"],
    summary: "Edits at random.",
    pseudocode: ["repeat:", "  visit a block", "  edit it", "  match", "  note"],
    run: ({ edit, rec }) => {
      toyEdits(edit, rec, rounds, makeRandom());
      return { matches: rounds, rewrites: edit.editCount, why: edit.editCount === 0 ? "no round" : null };
    },
  };
}

/** A function as plain data without what only counts (versions, next numbers), for comparing. */
export function plainFunc(fn: Func): unknown {
  const blocks = fn.layout.map((id) => fn.blocks[id]);
  return {
    layout: [...fn.layout],
    blocks: blocks.map((b) => ({ ...b, insts: [...(b?.insts ?? [])] })),
    flags: fn.flags,
    tables: [...fn.tables],
  };
}
