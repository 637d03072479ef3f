/** What identifies a block in another compiler's output: its effects, compares, constants and position in the graph. */

import { dominators, postDominators } from "../../../../engine/analysis/dominators.ts";
import { loopInfo } from "../../../../engine/analysis/loops.ts";
import { reversePostOrder } from "../../../../engine/analysis/order.ts";
import type { BlockId } from "../../../../engine/ir/ids.ts";
import { isConstantReg } from "../../../../engine/ir/reg.ts";
import type { Block, Func, Inst, Operand } from "../../../../engine/ir/types.ts";
import { isTerminator } from "../../../../engine/ir/visit.ts";

/** How a block ends. */
export type Ending = "exit" | "table" | "branch" | "jump" | "through";

export interface BlockFacts {
  readonly id: BlockId;
  readonly succs: readonly number[];
  readonly preds: readonly number[];
  /** Counts by key: `store global`, `compare 7`, `constant 42`, `MUFU RCP`. */
  readonly keys: ReadonlyMap<string, number>;
  readonly ending: Ending;
  readonly loopDepth: number;
  readonly isHeader: boolean;
  readonly idom: number;
  readonly ipdom: number;
}

/** Facts of the reachable blocks, in reverse post-order; indexes, not ids, in `succs`, `preds`, `idom`, `ipdom` (-1: none). Linear. */
export function collectFacts(fn: Func): BlockFacts[] {
  const { order } = reversePostOrder(fn);
  const index = new Map(order.map((id, i) => [id, i]));
  const at = (id: number): number => index.get(id as BlockId) ?? -1;
  const loops = loopInfo(fn);
  const headers = new Set(loops.loops.map((l) => l.header));
  const dom = dominators(fn);
  const post = postDominators(fn);
  return order.flatMap((id): BlockFacts[] => {
    const block = fn.blocks[id];
    if (block === undefined) return [];
    const keys = new Map<string, number>();
    for (const inst of block.insts) addKeys(keys, inst);
    return [
      {
        id,
        succs: block.succs.map(at).filter((i) => i >= 0),
        preds: block.preds.map(at).filter((i) => i >= 0),
        keys,
        ending: endingOf(block),
        loopDepth: loops.depth[id] ?? 0,
        isHeader: headers.has(id),
        idom: at(dom.idom[id] ?? -1),
        ipdom: at(post.idom[id] ?? -1),
      },
    ];
  });
}

function endingOf(block: Block): Ending {
  const last = block.insts[block.insts.length - 1];
  if (last === undefined || !isTerminator(last)) return "through";
  if (last.op === "BRX" || last.op === "JMX") return "table";
  if (last.op === "BRA") return block.succs.length > 1 ? "branch" : "jump";
  return "exit";
}

function addKeys(keys: Map<string, number>, inst: Inst): void {
  const add = (key: string): void => {
    keys.set(key, (keys.get(key) ?? 0) + 1);
  };
  if (inst.op === "OPAQUE") {
    const text = inst.ops[2];
    if (text?.kind === "text") addTextKeys(text.text, add);
    return;
  }
  const key = keyOf(inst);
  if (key !== null) add(key);
  if (inst.op === "ISETP" || inst.op === "FSETP" || inst.op === "DSETP") {
    addCompare(inst, add);
    return;
  }
  // Truth tables, table names and shift amounts differ between spellings of one thing.
  if (inst.op === "PLOP3" || isTerminator(inst)) return;
  const ops = inst.op === "LOP3" ? inst.ops.slice(0, 4) : inst.ops;
  for (const operand of ops) {
    const bits = constantBits(operand);
    if (bits !== null) add(`constant ${bits}`);
  }
}

/** The class of what an instruction does that no rewrite changes; null for plain arithmetic that compilers respell freely. */
function keyOf(inst: Inst): string | null {
  switch (inst.op) {
    case "STG":
    case "ST":
      return "store global";
    case "STS":
      return "store shared";
    case "STL":
      return "store local";
    case "LDG":
    case "LD":
      return "load global";
    case "LDS":
      return "load shared";
    case "LDL":
      return "load local";
    case "ATOM":
    case "RED":
      return "atomic global";
    case "ATOMS":
      return "atomic shared";
    case "BAR":
    case "BARRED":
      return "barrier";
    case "MEMBAR":
      return "fence";
    case "SHFL":
    case "VOTE":
    case "MATCH":
    case "REDUX":
    case "ACTIVEMASK":
      return `warp ${inst.op}`;
    case "CALL":
      return "call";
    case "MUFU":
      return `function ${inst.mods[0] ?? ""}`;
    case "FDIV":
    case "FRCP":
    case "IDIV":
    case "IREM":
      return "function RCP";
    case "FSQRT":
      return "function RSQ";
    case "S2R":
      return inst.ops[1]?.kind === "sreg" ? `special ${inst.ops[1].name}` : null;
    case "BPT":
      return "trap";
    case "FADD":
    case "FMUL":
    case "FFMA":
      return "float sum or product";
    case "FMNMX":
    case "IMNMX":
    case "POPC":
    case "FLO":
    case "BREV":
    case "IABS":
    case "F2I":
    case "I2F":
    case "PRMT":
    case "DADD":
    case "DMUL":
    case "DFMA":
      return `operation ${inst.op}`;
    default:
      return null;
  }
}

/** `x > 6`, `x >= 7` and their opposites are one compare: by the smallest value on the upper side. */
function addCompare(inst: Inst, add: (key: string) => void): void {
  const [, a, b] = inst.ops;
  if (a === undefined || b === undefined) return;
  if (inst.op !== "ISETP") {
    const bits = constantBits(b) ?? constantBits(a);
    if (bits !== null) add(`compare ${bits}`);
    return;
  }
  const swapped = isValue(a) && !isValue(b);
  const value = isValue(b) ? literalValue(b) : isValue(a) ? literalValue(a) : null;
  if (value === null) return;
  const upper = inst.mods[0] === (swapped ? "LT" : "GT") || inst.mods[0] === (swapped ? "GE" : "LE");
  const ordered = inst.mods[0] !== "EQ" && inst.mods[0] !== "NE";
  add(ordered ? `compare from ${(value + (upper ? 1 : 0)) >>> 0}` : `compare ${value >>> 0}`);
}

const isValue = (o: Operand): boolean => literalValue(o) !== null;

function literalValue(o: Operand): number | null {
  if (o.kind === "imm") return o.value;
  return o.kind === "reg" && isConstantReg(o.reg) ? 0 : null;
}

/** Bits of a literal; null for other operands and for 0, which is not specific. */
function constantBits(o: Operand): number | null {
  if (o.kind === "imm") return o.value === 0 || !Number.isSafeInteger(o.value) ? null : Number(BigInt.asUintN(32, BigInt(o.value)));
  if (o.kind === "f32") return o.bits === 0 ? null : o.bits;
  return null;
}

const NUMBER = /(?<![\w.[+])-?0x[0-9a-f]{1,8}\b(?!\])/gi;

/** An opaque instruction is known by its text: SASS (`STG.E [R2.64], R5`) or PTX (`red.global.add.u32 …`). */
function addTextKeys(text: string, add: (key: string) => void): void {
  const root = /^(?:@\S+ )?([A-Za-z0-9_]+)/.exec(text)?.[1]?.toUpperCase() ?? "";
  const key = TEXT_KEYS[root];
  if (key !== undefined) add(key);
  else if (root === "RED" || root.startsWith("ATOM")) add(/^(?:ATOMS|\w+\.shared)/.test(text) ? "atomic shared" : "atomic global");
  else if (root === "ISETP" && !/\.EX\b/.test(text)) addTextCompare(text, add);
  if (/^(?:PLOP3|LOP3|ISETP|SHF|LEA|BRA|CALL|BMOV|UIADD3|PRMT)$/.test(root)) return;
  for (const word of text.slice(0, 300).match(NUMBER) ?? []) {
    const value = Number(BigInt.asUintN(32, word.startsWith("-") ? -BigInt(word.slice(1)) : BigInt(word)));
    if (value !== 0) add(`constant ${value}`);
  }
}

function addTextCompare(text: string, add: (key: string) => void): void {
  const found = /^ISETP\.([A-Z]{2})\S* [^,]*, [^,]*, [^,]*, (-?0x[0-9a-f]+|U?RZ)\b/.exec(text);
  const mod = found?.[1];
  const word = found?.[2];
  if (mod === undefined || word === undefined) return;
  const value = word.endsWith("Z") ? 0 : word.startsWith("-") ? -Number(word.slice(1)) : Number(word);
  if (mod === "EQ" || mod === "NE") add(`compare ${value >>> 0}`);
  else add(`compare from ${(value + (mod === "GT" || mod === "LE" ? 1 : 0)) >>> 0}`);
}

const TEXT_KEYS: Readonly<Record<string, string>> = {
  STG: "store global",
  ST: "store global",
  STS: "store shared",
  STL: "store local",
  LDG: "load global",
  LD: "load global",
  LDS: "load shared",
  LDL: "load local",
  REDG: "atomic global",
  REDS: "atomic shared",
  BAR: "barrier",
  BARRIER: "barrier",
  MEMBAR: "fence",
  FENCE: "fence",
  SHFL: "warp SHFL",
  VOTE: "warp VOTE",
  MATCH: "warp MATCH",
  REDUX: "warp REDUX",
  CALL: "call",
  TEX: "texture",
  TLD: "texture",
  VIADDMNMX: "operation IMNMX",
  DMUL: "operation DMUL",
  DADD: "operation DADD",
  DFMA: "operation DFMA",
  F2I: "operation F2I",
  I2F: "operation I2F",
};
