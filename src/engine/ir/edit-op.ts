/** The raw, invertible operations an edit is made of, and how to apply and revert them: the journal's alphabet. */

import { copyBlock, copyFunc } from "./copies.ts";
import type { BlockId } from "./ids.ts";
import type { Block, BlockField, Func, Inst, JumpTable } from "./types.ts";

export type EditOp =
  /** Instructions `removed` at index `at` were replaced by `inserted`. */
  | {
      readonly op: "insts";
      readonly block: BlockId;
      readonly at: number;
      readonly removed: readonly Inst[];
      readonly inserted: readonly Inst[];
    }
  | {
      readonly op: "move";
      readonly inst: Inst;
      readonly from: BlockId;
      readonly fromAt: number;
      readonly to: BlockId;
      readonly toAt: number;
    }
  | { readonly op: "succs"; readonly block: BlockId; readonly before: readonly BlockId[]; readonly after: readonly BlockId[] }
  | { readonly op: "preds"; readonly block: BlockId; readonly before: readonly BlockId[]; readonly after: readonly BlockId[] }
  /** Block put into (`add`) or taken out of (`remove`) the layout at index `at`. The record carries its whole state. */
  | { readonly op: "block-add" | "block-remove"; readonly block: Block; readonly at: number }
  | { readonly op: "layout"; readonly block: BlockId; readonly from: number; readonly to: number }
  | { readonly op: "field"; readonly block: BlockId; readonly field: BlockField; readonly before: number; readonly after: number }
  | { readonly op: "weight"; readonly block: BlockId; readonly before: number | null; readonly after: number | null }
  | { readonly op: "func-flags"; readonly before: number; readonly after: number }
  /** `at`: the table's index among the tables. */
  | {
      readonly op: "table";
      readonly name: string;
      readonly at: number;
      readonly before: JumpTable | null;
      readonly after: JumpTable | null;
    };

/** Mutable twins of the IR records: only this file and `edit.ts` may use them. */
export type MutableBlock = { -readonly [K in keyof Block]: Block[K] };
export type MutableFunc = { -readonly [K in keyof Func]: Func[K] } & {
  blocks: (Block | undefined)[];
  layout: BlockId[];
  tables: Map<string, JumpTable>;
  nextReg: number[];
};

/**
 * A mutable function. `owned` contains the blocks whose record and instruction array belong only to it;
 * the others are shared with the snapshot it was cloned from and are copied before the first write.
 */
export interface FuncStore {
  readonly func: MutableFunc;
  readonly owned: Set<BlockId>;
}

/**
 * Identifies one state of a function's code (`all`), and of its blocks and edges (`cfg`): unchanged clones have the same identities. What a phase only writes
 * down (fields of blocks, weights, the function's flags) is not part of either.
 */
export interface Identity {
  readonly all: object;
  readonly cfg: object;
  readonly codeVersion: number;
  readonly cfgVersion: number;
}

const identities = new WeakMap<Func, Identity>();

export function identityOf(fn: Func): Identity {
  const { codeVersion, cfgVersion } = fn;
  const known = identities.get(fn);
  if (known !== undefined && known.codeVersion === codeVersion) return known;
  const cfg = known !== undefined && known.cfgVersion === cfgVersion ? known.cfg : {};
  const identity = { all: {}, cfg, codeVersion, cfgVersion };
  identities.set(fn, identity);
  return identity;
}

/** Drops the cached analyses of this function, except those that a clone shares: results belong to the identity, and the next request creates a new one. */
export const forgetIdentity = (fn: Func): void => void identities.delete(fn);

/** Shares all block records with `fn`, copies the arrays that contain them: O(blocks). */
export function cloneToStore(fn: Func): FuncStore {
  const func = copyFunc(fn);
  identities.set(func, identityOf(fn));
  return { func, owned: new Set() };
}

/** The block's record for writing. The instruction array is copied once, too. */
export function writable(store: FuncStore, id: BlockId): MutableBlock & { insts: Inst[] } {
  const block = store.func.blocks[id];
  if (block === undefined) throw new Error(`internal: no block ${id}`);
  if (store.owned.has(id)) return block as MutableBlock & { insts: Inst[] };
  const copy = copyBlock(block);
  store.owned.add(id);
  store.func.blocks[id] = copy;
  return copy;
}

/** Removes a block; the caller updates the layout. */
export function forgetBlock(store: FuncStore, id: BlockId): void {
  changeLayout(store);
  store.owned.delete(id);
  store.func.blocks[id] = undefined;
}

/** The layout is another one. */
export function changeLayout({ func }: FuncStore): void {
  func.version++;
  func.codeVersion++;
  func.cfgVersion++;
}

/** Applies an operation, or its inverse. No derived state is recomputed: every consequence has its own operation. */
export function applyOp(store: FuncStore, op: EditOp, inverse = false): void {
  const { func } = store;
  func.version++;
  if (op.op !== "field" && op.op !== "weight" && op.op !== "func-flags") func.codeVersion++;
  switch (op.op) {
    case "insts": {
      const [out, into] = inverse ? [op.inserted, op.removed] : [op.removed, op.inserted];
      spliceInsts(writable(store, op.block).insts, op.at, out.length, into);
      return;
    }
    case "move": {
      const [from, fromAt, to, toAt] = inverse ? [op.to, op.toAt, op.from, op.fromAt] : [op.from, op.fromAt, op.to, op.toAt];
      writable(store, from).insts.splice(fromAt, 1);
      writable(store, to).insts.splice(toAt, 0, op.inst);
      return;
    }
    case "succs":
      func.cfgVersion++;
      writable(store, op.block).succs = inverse ? op.before : op.after;
      return;
    case "preds":
      func.cfgVersion++;
      writable(store, op.block).preds = inverse ? op.before : op.after;
      return;
    case "block-add":
    case "block-remove":
      func.cfgVersion++;
      store.owned.delete(op.block.id);
      if ((op.op === "block-add") !== inverse) {
        func.blocks[op.block.id] = op.block;
        func.layout.splice(op.at, 0, op.block.id);
      } else {
        func.blocks[op.block.id] = undefined;
        func.layout.splice(op.at, 1);
      }
      return;
    case "layout": {
      func.cfgVersion++;
      const [from, to] = inverse ? [op.to, op.from] : [op.from, op.to];
      func.layout.splice(from, 1);
      func.layout.splice(to, 0, op.block);
      return;
    }
    case "field":
      writable(store, op.block)[op.field] = inverse ? op.before : op.after;
      return;
    case "weight":
      writable(store, op.block).weight = inverse ? op.before : op.after;
      return;
    case "func-flags":
      func.flags = inverse ? op.before : op.after;
      return;
    case "table": {
      func.cfgVersion++;
      const table = inverse ? op.before : op.after;
      if (table === null) func.tables.delete(op.name);
      else setTableAt(func.tables, table, op.at);
      return;
    }
  }
}

/** Hears of every edit, after it was applied. */
export interface EditListener {
  /** False if nothing is recorded: an edit may then omit what only its record needs. */
  readonly on: boolean;
  edit(op: EditOp): void;
}

export const NO_LISTENER: EditListener = { on: false, edit: () => {} };

/** A restored table gets its old index, so that the text does not depend on the direction of stepping. */
function setTableAt(tables: Map<string, JumpTable>, table: JumpTable, at: number): void {
  const after = tables.has(table.name) ? [] : [...tables].slice(at);
  tables.set(table.name, table);
  for (const [name, other] of after) {
    tables.delete(name);
    tables.set(name, other);
  }
}

function spliceInsts(insts: Inst[], at: number, removed: number, inserted: readonly Inst[]): void {
  // Spreading a very long list would overflow the argument stack.
  if (inserted.length < 1000) {
    insts.splice(at, removed, ...inserted);
    return;
  }
  const tail = insts.slice(at + removed);
  insts.length = at;
  for (const inst of inserted) insts.push(inst);
  for (const inst of tail) insts.push(inst);
}
