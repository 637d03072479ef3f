/** The function that a user's pass is given: reads, orders, analyses on request, and the edits. */

import { dominanceFrontiers } from "../../../../engine/analysis/dominance-frontier.ts";
import { domChildren, dominates, dominators } from "../../../../engine/analysis/dominators.ts";
import { liveness } from "../../../../engine/analysis/liveness.ts";
import { loopInfo } from "../../../../engine/analysis/loops.ts";
import { reversePostOrder, searchOrder } from "../../../../engine/analysis/order.ts";
import { reachingDefs } from "../../../../engine/analysis/reaching-defs.ts";
import { uniformity } from "../../../../engine/analysis/uniformity.ts";
import { PassError } from "../../../../engine/api/own/pass-error.ts";
import { withOps } from "../../../../engine/ir/copies.ts";
import type { BlockId, InstId, Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg, parseReg, regClass, regName } from "../../../../engine/ir/reg.ts";
import type { Func, Inst as IrInst, Operand } from "../../../../engine/ir/types.ts";
import { defsOf, getBlock, isDefOperand, mapUses, phisOf, terminatorsOf } from "../../../../engine/ir/visit.ts";
import { printInst } from "../../../../engine/text/printer.ts";
import type { Actions, PhiSource } from "./actions.ts";
import type {
  Block,
  Dominators,
  EdgeOptions,
  Fn,
  Inst,
  JumpTable,
  Liveness,
  Loop,
  Order,
  ReachingDefinitions,
  RegClass,
  TableParts,
  Uniformity,
} from "./api.ts";
import { hasReg } from "./lines.ts";
import { type BlockView, describe, type InstView, type Views } from "./views.ts";

/** Analyses that a task may forbid because the pass must compute them itself. */
export const FORBIDDABLE = ["orders", "dominators", "loops", "liveness", "reaching-definitions", "uniformity"] as const;
export type Forbiddable = (typeof FORBIDDABLE)[number];

export class FnView implements Fn {
  readonly #actions: Actions;
  readonly #views: Views;
  readonly #forbidden: Readonly<Record<string, true | undefined>>;

  constructor(views: Views, forbidden: readonly string[] = []) {
    this.#actions = views.actions;
    this.#views = views;
    this.#forbidden = namesOf(forbidden);
  }

  #allowed(analysis: Forbiddable): void {
    if (this.#forbidden[analysis] === true) throw new PassError(`The task forbids ${analysis}: the pass must compute it itself.`);
  }

  get name(): string {
    return this.#actions.func.name;
  }

  get kind(): "kernel" | "func" {
    return this.#actions.func.kind;
  }

  get params(): Fn["params"] {
    return this.#actions.func.params.map(({ name, reg }) => ({ name, reg: regName(reg) }));
  }

  get returns(): readonly string[] {
    return this.#actions.func.returns.map(regName);
  }

  get entry(): BlockView {
    const [entry] = this.#actions.func.layout;
    if (entry === undefined) throw new PassError("The function has no block.");
    return this.#views.block(entry);
  }

  get blocks(): readonly BlockView[] {
    return this.#views.list(this.#actions.func.layout);
  }

  block(label: string): BlockView | null {
    const { layout, blocks } = this.#actions.func;
    const id = layout.find((b) => blocks[b]?.label === label);
    return id === undefined ? null : this.#views.block(id);
  }

  get tables(): readonly JumpTable[] {
    return [...this.#actions.func.tables.keys()].map((name) => this.#views.table(name));
  }

  order(order: Order): readonly BlockView[] {
    const { func } = this.#actions;
    if (order !== "layout") this.#allowed("orders");
    switch (order) {
      case "layout":
        return this.blocks;
      case "reverse-postorder":
        return this.#views.list(reversePostOrder(func).order);
      case "postorder":
        return this.#views.list(reversePostOrder(func).order.toReversed());
      case "preorder":
        return this.#views.list(preorder(func.layout[0], (id) => searchOrder(func.blocks[id])));
      default:
        throw new PassError(`There is no order ${describe(order)}: layout, preorder, postorder, reverse-postorder.`);
    }
  }

  // --- analyses ------------------------------------------------------------------------------------------------------------------

  dominators(): Dominators {
    this.#allowed("dominators");
    const { func } = this.#actions;
    const views = this.#views;
    const tree = dominators(func);
    const children = domChildren(func, tree);
    const frontiers = dominanceFrontiers(func);
    return {
      idom(block) {
        const id = tree.idom[views.blockId(block)] ?? -1;
        return id < 0 ? null : views.block(id as BlockId);
      },
      dominates: (a, b) => dominates(tree, views.blockId(a), views.blockId(b)),
      children: (block) => views.list(children[views.blockId(block)] ?? []),
      frontier(block) {
        if (frontiers === null) throw new PassError("The dominance frontiers of this function are too large.");
        return views.list(frontiers[views.blockId(block)] ?? []);
      },
    };
  }

  loops(): readonly Loop[] {
    this.#allowed("loops");
    return loopInfo(this.#actions.func).loops.map((loop) => ({
      header: this.#views.block(loop.header),
      latches: this.#views.list(loop.latches),
      blocks: this.#views.list(loop.blocks),
      natural: loop.natural,
      depth: loop.depth,
    }));
  }

  liveness(): Liveness {
    this.#allowed("liveness");
    const live = liveness(this.#actions.func);
    const views = this.#views;
    return {
      liveIn: (block) => new Set(live.liveIn(views.blockId(block)).map(regName)),
      liveOut: (block) => new Set(live.liveOut(views.blockId(block)).map(regName)),
    };
  }

  reachingDefinitions(): ReachingDefinitions {
    this.#allowed("reaching-definitions");
    const actions = this.#actions;
    const views = this.#views;
    const found = reachingDefs(actions.func);
    const once = (insts: readonly (IrInst | null)[]): readonly InstView[] => [
      ...new Set(insts.flatMap((inst) => (inst === null ? [] : [views.inst(inst)]))),
    ];
    return {
      at(inst, reg) {
        const { block, at } = actions.find(views.instId(inst));
        return found.reachingAt(block, at, regOf(reg)).map((site) => ({
          reg,
          inst: site.inst === null ? null : views.inst(site.inst),
          block: views.block(site.block),
        }));
      },
      usesOf: (reg) => once(found.usesOfReg(regOf(reg)).map((use) => use.inst)),
      defsOf: (reg) => once(found.sitesOf(regOf(reg)).map((site) => site.inst)),
    };
  }

  uniformity(): Uniformity {
    this.#allowed("uniformity");
    const found = uniformity(this.#actions.func);
    const views = this.#views;
    return {
      isDivergent: (block) => found.isDivergent(views.blockId(block)),
      resultVaries: (inst) => found.resultVaries(views.instId(inst)),
      inRegion: (block) => found.inRegion(views.blockId(block)),
    };
  }

  // --- edits ---------------------------------------------------------------------------------------------------------------------

  freshReg(cls: RegClass): string {
    return this.#actions.freshReg(cls);
  }

  remove(inst: Inst, options?: EdgeOptions): void {
    this.#actions.remove(this.#views.instId(inst), this.#phi(options));
  }

  insertBefore(inst: Inst, text: string): Inst {
    const { block, at } = this.#actions.find(this.#views.instId(inst));
    return this.#views.inst(this.#actions.insert(block, at, text));
  }

  insertAfter(inst: Inst, text: string): Inst {
    const { block, at } = this.#actions.find(this.#views.instId(inst));
    return this.#views.inst(this.#actions.insert(block, at + 1, text));
  }

  append(block: Block, text: string, options?: EdgeOptions): Inst {
    return this.#views.inst(this.#actions.append(this.#views.blockId(block), text, this.#phi(options)));
  }

  prepend(block: Block, text: string): Inst {
    const id = this.#views.blockId(block);
    const at = /^\s*PHI\b/.test(String(text)) ? 0 : phisOf(this.#actions.at(id)).length;
    return this.#views.inst(this.#actions.insert(id, at, text));
  }

  replace(inst: Inst, text: string, options?: EdgeOptions): void {
    this.#actions.replace(this.#views.instId(inst), text, this.#phi(options));
  }

  mapUses(inst: Inst, map: (reg: string) => string): boolean {
    const renaming = new Renaming(this.#actions.func, map);
    const id = this.#views.instId(inst);
    const found = this.#actions.find(id).inst;
    const changed = mapUses(found, (r) => renaming.of(r));
    if (changed === found) return false;
    this.#renamed(id, changed, renaming);
    return true;
  }

  mapDefs(inst: Inst, map: (reg: string) => string): boolean {
    const id = this.#views.instId(inst);
    const found = this.#actions.find(id).inst;
    // A register that the instruction names but never writes is not a definition and keeps its name.
    const defs = defsOf(found);
    if (defs.length === 0) return false;
    const renaming = new Renaming(this.#actions.func, map);
    const mapped = (r: Reg): Reg => (defs.includes(r) ? renaming.of(r) : r);
    const ops = found.ops.map((operand, i) => (isDefOperand(found, i) ? mappedDef(operand, mapped) : operand));
    if (ops.every((operand, i) => operand === found.ops[i])) return false;
    this.#renamed(id, withOps(found, ops), renaming);
    return true;
  }

  #renamed(id: InstId, changed: IrInst, { alike }: Renaming): void {
    if (alike) this.#actions.rename(id, changed);
    else this.#actions.replace(id, printInst(this.#actions.func, changed), null);
  }

  move(inst: Inst, to: { readonly before: Inst } | { readonly endOf: Block }): void {
    const id = this.#views.instId(inst);
    const from = this.#actions.find(id);
    if ("before" in to) {
      const { block, at } = this.#actions.find(this.#views.instId(to.before));
      this.#actions.move(id, block, block === from.block && at > from.at ? at - 1 : at);
      return;
    }
    const block = this.#views.blockId(to.endOf);
    const end = terminatorsOf(this.#actions.at(block)).at;
    this.#actions.move(id, block, block === from.block ? end - 1 : end);
  }

  setTerminators(block: Block, texts: readonly string[], options?: EdgeOptions): void {
    this.#actions.setTerminators(this.#views.blockId(block), list(texts), this.#phi(options));
  }

  redirect(block: Block, from: Block, to: Block, options?: EdgeOptions): void {
    const views = this.#views;
    this.#actions.redirect(views.blockId(block), views.blockId(from), views.blockId(to), this.#phi(options));
  }

  addBlock(label: string, after: Block, texts: readonly string[] = [], options?: EdgeOptions): Block {
    const made = this.#actions.addBlock(label, this.#views.blockId(after), list(texts), this.#phi(options));
    return this.#views.block(made);
  }

  makeJump(block: Block): void {
    this.#actions.makeJump(this.#views.blockId(block));
  }

  split(inst: Inst, label: string): Block {
    return this.#views.block(this.#actions.split(this.#views.instId(inst), label));
  }

  setTable(table: JumpTable, parts: TableParts, options?: EdgeOptions): void {
    const views = this.#views;
    const name = views.tableName(table);
    const { entries, base, default: otherwise } = parts;
    const now = this.#actions.tableOf(name);
    if (entries !== undefined && !Array.isArray(entries)) throw new PassError("The entries of a table must be given as a list of blocks.");
    const changed = {
      base: base ?? now.base,
      entries: entries === undefined ? now.entries : entries.map((block) => views.blockId(block)),
      default: otherwise === undefined ? now.default : otherwise === null ? null : views.blockId(otherwise),
    };
    this.#actions.setTable(name, changed, this.#phi(options));
  }

  removeTable(table: JumpTable): void {
    this.#actions.removeTable(this.#views.tableName(table));
  }

  removeBlock(block: Block, options?: EdgeOptions): void {
    this.#actions.removeBlock(this.#views.blockId(block), this.#phi(options));
  }

  #phi(options: EdgeOptions | undefined): PhiSource {
    const phi = options?.phi;
    if (phi === undefined) return null;
    const views = this.#views;
    if (typeof phi === "function") return { ask: (inst) => phi(views.inst(inst)) };
    const like = views.blockId(phi.like);
    getBlock(this.#actions.func, like);
    return { like };
  }
}

// Otherwise a pass could use the constructor to make a function that forbids nothing.
Object.defineProperty(FnView.prototype, "constructor", { value: undefined });

/** Uses nothing that a pass could have changed before: calls no method, and reads nothing that an object inherits. */
function namesOf(names: readonly string[]): Readonly<Record<string, true | undefined>> {
  const found = { __proto__: null } as unknown as Record<string, true | undefined>;
  for (let i = 0; i < names.length; i++) found[names[i] ?? ""] = true;
  return found;
}

function regOf(name: string): Reg {
  const found = typeof name === "string" ? parseReg(name) : null;
  if (found === null) throw new PassError(`${describe(name)} is not a register.`);
  return found;
}

/** Maps the registers of one instruction by a pass's function. */
class Renaming {
  /** Each new register has the class of the old one and is known to the function: the instruction is as well formed as before. */
  alike = true;
  private readonly fn: Func;
  private readonly map: (reg: string) => string;

  constructor(fn: Func, map: (reg: string) => string) {
    this.fn = fn;
    this.map = map;
  }

  of(r: Reg): Reg {
    const to = regOf(this.map(regName(r)));
    if (to !== r && (regClass(to) !== regClass(r) || isConstantReg(to) || !hasReg(this.fn, to))) this.alike = false;
    return to;
  }
}

function mappedDef(operand: Operand, map: (r: Reg) => Reg): Operand {
  if (operand.kind === "reg") {
    const to = map(operand.reg);
    return to === operand.reg ? operand : { ...operand, reg: to };
  }
  if (operand.kind !== "vec" && operand.kind !== "list") return operand;
  const regs = operand.regs.map(map);
  return regs.every((r, i) => r === operand.regs[i]) ? operand : { ...operand, regs };
}

function list(texts: unknown): readonly string[] {
  if (!Array.isArray(texts)) throw new PassError("Instructions must be given as a list of lines.");
  return texts as readonly string[];
}

function preorder(entry: BlockId | undefined, succs: (id: BlockId) => readonly BlockId[]): readonly BlockId[] {
  const seen = new Set<BlockId>();
  const stack = entry === undefined ? [] : [entry];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    stack.push(
      ...succs(id)
        .toReversed()
        .filter((s) => !seen.has(s)),
    );
  }
  return [...seen];
}
