/** Blocks, instructions and tables as the viewer sees them. */

import type { SourceProgram } from "../../import/reader.ts";
import type { BlockId } from "../../ir/ids.ts";
import { paramsInBank } from "../../ir/param-symbol.ts";
import { regName } from "../../ir/reg.ts";
import type { Block, Func, Inst, ModuleSymbol } from "../../ir/types.ts";
import { branchTarget, effectOf, isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { tokenizeInst } from "../../text/tokens.ts";
import type { BlockView, InstView, KernelInfo, TableView } from "../types.ts";

// Instructions are immutable, but labels belong to a function: so only views of instructions without labels are kept.
const views = new WeakMap<Inst, InstView>();

/** `naming` supplies labels only. */
export function instView(naming: Func, inst: Inst): InstView {
  const known = views.get(inst);
  if (known !== undefined) return known;
  const view: InstView = {
    id: inst.id,
    text: printInst(naming, inst),
    tokens: tokenizeInst(naming, inst),
    op: inst.op,
    effect: effectOf(inst),
    line: inst.line,
  };
  if (!inst.ops.some((operand) => operand.kind === "label" || operand.kind === "phi")) views.set(inst, view);
  return view;
}

export function blockView(fn: Func, block: Block, naming: Func = fn): BlockView {
  const { id, weight, rpo, latchExit, flags, flags2, scratch120, scratch232, line } = block;
  return {
    id,
    label: block.label,
    insts: block.insts.map((inst) => instView(naming, inst)),
    succs: [...block.succs],
    preds: [...block.preds],
    succKinds: succKinds(fn, block),
    weight,
    rpo,
    latchExit,
    flags,
    flags2,
    scratch120,
    scratch232,
    line,
  };
}

type EdgeKind = BlockView["succKinds"][number];

/**
 * What each successor edge is, in the order of `succs`. With a conditional branch the taken edge is `taken`, the other one `else` (an explicit BRA) or
 * `fall`; an unconditional BRA alone makes `jump`. A table's entries are `table`, its default `default`.
 */
export function succKinds(fn: Func, block: Block): EdgeKind[] {
  const kinds = new Map<BlockId, EdgeKind>();
  const add = (id: BlockId | null | undefined, kind: EdgeKind): void => {
    if (id !== null && id !== undefined && !kinds.has(id)) kinds.set(id, kind);
  };
  let conditional = false;
  for (const inst of terminatorsOf(block).insts) {
    const always = isUnconditional(inst);
    add(branchTarget(inst), always ? (conditional ? "else" : "jump") : "taken");
    const table = fn.tables.get(tableName(inst) ?? "");
    // The default first: an entry with the same target is drawn as the default.
    add(table?.default, "default");
    for (const entry of table?.entries ?? []) add(entry, "table");
    if (!always) conditional = true;
  }
  return block.succs.map((succ) => kinds.get(succ) ?? "fall");
}

export function tableViews(fn: Func): TableView[] {
  return [...fn.tables.values()].map(({ name, base, default: otherwise, entries }) => ({
    name,
    base,
    default: otherwise,
    entries: [...entries],
  }));
}

/** `program`: what its language knows about it. */
export function kernelInfo(fn: Func, program: SourceProgram | null = null, symbols: readonly ModuleSymbol[] = []): KernelInfo {
  let instructions = 0;
  let opaque = 0;
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      instructions++;
      if (inst.op === "OPAQUE") opaque++;
    }
  }
  const types = program?.types(fn.name) ?? [];
  const params = fn.params.map(({ name, reg }, i) => {
    const type = types[i] ?? null;
    return { name, reg: regName(reg), ...(type === null ? {} : { type }) };
  });
  const helper = program?.functions.includes(fn.name) === false ? { helper: true } : {};
  const rest = [...paramsInBank(fn.name, symbols)].map(([name, { size }]) => ({ name, bytes: size }));
  const inBank = rest.length === 0 ? {} : { inBank: rest };
  return { name: fn.name, kind: fn.kind, ...helper, blocks: fn.layout.length, instructions, opaque, params, ...inBank, line: fn.line };
}
