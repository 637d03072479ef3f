/** Second half of the phase: hash-based commoning inside one block, with leaders no further back than a window of instructions. */

import { copiedRegister, memoryState, moveOf, readsClock } from "../../analysis/commoning.ts";
import { exchangedAsMeasured, expressionText, Numbers, sourceTexts } from "../../analysis/expression-text.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import type { Variable } from "../../analysis/merges.ts";
import type { Budget } from "../../config/knob-store.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printInst } from "../../text/printer.ts";
import type { PassContext } from "../pass.ts";
import type { ValueNumberRow, WindowRow } from "./rows.ts";
import { STAYS } from "./watch.ts";

/** An earlier computation of a value. */
interface Leader {
  readonly inst: InstId;
  readonly reg: Reg;
  /** The number that its register has while the value is there. */
  readonly version: number;
  /** Place in the chain of blocks. */
  readonly at: number;
}

interface Repeated {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly leader: Leader;
}

export const key = line("  key(I) = opcode, modifiers, numbers of the operands (sorted where they commute), guard, memory state", {
  kind: "value-number",
  step: "'{inst}' has the key {key}",
});

export const lookup = line("  look key(I) up in the hash table: FNV-1a, bucket, chain");

export const miss = line("  a miss: I becomes the leader", {
  stays: STAYS,
  missed: {
    "first-of-its-key": { code: "leader", counts: false, say: "it is the first in the block with the key {key}, so it becomes the leader" },
  },
});

export const far = line("  the leader is further back than the window: I becomes the leader", {
  stays: STAYS,
  missed: { window: { say: "its leader is {back} {back:instruction|instructions} back, more than the window of {window}" } },
});

export const overwritten = line("  the leader's register was written since: I becomes the leader", {
  stays: STAYS,
  missed: {
    "value-overwritten": {
      code: "overwritten",
      say: "{leader:reg} no longer contains the leader's value",
      droppable: "the MOV copies what was written since",
    },
    "register-class": {
      say: "{leader:reg} can't be copied into the uniform {dest:reg}",
      fixed: "There is no such instruction: only uniform instructions write a uniform register.",
    },
  },
});

export const replace = rule<LocalCse, Repeated>()({
  line: "  else replace I by a MOV from the leader, or delete it when it writes the leader's register",
  stays: STAYS,
  missed: { "commoning-budget": { code: "budget", say: "the budget is spent" } },
  found: {
    removed: { kind: "rewrite", say: "'{inst}' computes again what {leader:reg} contains, and is removed" },
    copied: { kind: "rewrite", say: "'{inst}' computes again what {leader:reg} contains, and becomes a MOV" },
  },
  match(_, { inst, leader: { inst: first, reg: leader }, block }) {
    const about = { inst, leader, block, insts: [first], regs: [leader] };
    return defsOf(inst)[0] === leader ? { found: "removed", ...about } : { found: "copied", ...about };
  },
  apply(state, { found, inst, block, leader }) {
    const { edit, remark } = state;
    if (found === "copied") edit.replace(block, state.at, moveOf(inst, defsOf(inst)[0] as Reg, leader));
    else {
      if (remark.listening) edit.remove(block, edit.block(block).insts.indexOf(inst));
      else state.gone.add(inst.id);
    }
  },
});

/** The leaders of a block, and of those into which it runs without other predecessors or successors: after clean-up they would be one. */
export class LocalCse {
  /** Where the walk is in its block. */
  at = 0;
  readonly edit: PassContext["edit"];
  readonly remark: PassContext["remark"];
  readonly window: number;
  /** Removed in the block, without a listener. */
  readonly gone = new Set<InstId>();
  private readonly budget: Budget;
  private readonly measured: boolean;
  private readonly table: ValueTable;
  private readonly numbers = new Numbers();
  private readonly view: ShownTable<WindowRow>;
  private readonly values: ShownTable<ValueNumberRow>;
  private current = new Map<Variable, number>();
  private leaders: Leader[] = [];
  /** Instructions of the block whose register already has the value. */
  private repeated: Repeated[] = [];
  /** Instructions of the chain so far. */
  private seen = 0;
  /** The window's slots for display: where each leader is in the chain. */
  private readonly shown = new Map<string, number>();

  constructor({ edit, remark, policy }: PassContext, budget: Budget, back: number) {
    this.edit = edit;
    this.remark = remark;
    this.measured = policy === "measured";
    this.budget = budget;
    this.window = Math.max(0, back);
    this.table = new ValueTable(remark.observe("cse-table", "Local commoning: hash table", lookup));
    this.values = remark.shown.table<ValueNumberRow>("value-numbers", "Value numbers");
    this.view = remark.shown.ring<WindowRow>("cse-window", "Local commoning: leaders in the window");
  }

  clear(): void {
    for (const slot of this.shown.keys()) this.view.remove(slot);
    this.shown.clear();
  }

  start(chain: readonly BlockId[]): void {
    this.table.obs.at(lookup, { blocks: chain });
    this.table.clear();
    this.leaders = [];
    this.seen = 0;
    this.current = new Map();
  }

  visit(block: BlockId, at: number, inst: Inst): void {
    this.at = at;
    const found = this.keyOf(inst);
    let version = found;
    if (found < 0 || inst.guard !== null) {
      const source = copiedRegister(inst);
      version = source === null ? this.numbers.fresh() : this.read(source);
    }
    const defs = defsOf(inst);
    if (this.remark.listening && defs.length > 0) this.showNumber(block, inst, version, found);
    if (found >= 0) this.look(block, inst, found, version);
    for (let k = 0; k < defs.length; k++) this.current.set(defs[k] as Reg, k === 0 ? version : this.numbers.fresh());
    const spaces = changedSpaces(inst);
    for (let k = 0; k < spaces.length; k++) this.current.set(spaces[k] as Variable, this.numbers.fresh());
    if (this.remark.listening) this.dropOut();
    this.seen++;
  }

  private slot(): string {
    return `s${this.window === 0 ? 0 : this.seen % this.window}`;
  }

  /** For the next instruction the leader that is a window away is not visible, even if its slot is not reused. */
  private dropOut(): void {
    const slot = this.slot();
    if (this.shown.get(slot) === this.seen) return;
    if (this.shown.delete(slot)) this.view.remove(slot);
  }

  /** The last one first, so that indices stay valid. One that stays recomputes its register's value: no later decision depends on the removal. */
  removeRepeated(block: BlockId): void {
    for (const repeated of this.repeated.reverse()) replace.look(this, repeated)?.request()?.commit();
    this.repeated = [];
    if (this.gone.size > 0) this.edit.sweep(block, (inst) => this.gone.has(inst.id));
    this.gone.clear();
  }

  private readonly read = (v: Variable): number => {
    let n = this.current.get(v);
    if (n === undefined) {
      n = this.numbers.fresh();
      this.current.set(v, n);
    }
    return n;
  };

  /** The index of the expression; -1 where there is nothing to common. */
  private keyOf(inst: Inst): number {
    if (inst.op === "MOV" || inst.op === "PMOV" || inst.op === "PHI" || inst.op === "NOP" || defsOf(inst).length !== 1) return -1;
    if (inst.ops[0]?.kind !== "reg") return -1;
    const effect = effectOf(inst);
    const isLoad = effect === "load" && !isVolatileAccess(inst);
    if (effect !== "pure" && !isLoad) return -1;
    if (readsClock(inst)) return -1;
    const { read } = this;
    const sources = this.measured ? sourceTexts(inst, read, exchangedAsMeasured) : sourceTexts(inst, read);
    return this.numbers.intern(expressionText(inst, read, memoryState(inst, { read }, this.measured), sources));
  }

  private showNumber(block: BlockId, inst: Inst, number: number, expressed: number): void {
    const expression = this.numbers.textOf(expressed);
    const row = { number, key: expressed, reg: regName(defsOf(inst)[0] as Reg), block: this.edit.block(block).label };
    this.values.set(inst.id, expression === null ? row : { ...row, expression });
  }

  private look(block: BlockId, inst: Inst, expression: number, version: number): void {
    const { remark } = this;
    remark.candidate(key, { inst, key: expression, block });
    this.table.obs.at(lookup, { block, inst });
    const { isNew, node, value } = this.table.insert(expression, this.leaders.length);
    const leader = isNew ? undefined : this.leaders[value];
    const dest = defsOf(inst)[0] as Reg;
    const lead = (): void => {
      const index = this.leaders.length;
      this.lead(inst, expression, version);
      if (!isNew) this.table.replace(node, index);
    };
    const back = leader === undefined ? 0 : this.seen - leader.at;
    if (leader === undefined) {
      lead();
      remark.missed(miss, "first-of-its-key", { inst, block, key: expression });
    } else if (back > this.window) {
      remark.missed(far, "window", { inst, block, back, window: this.window });
      lead();
    } else if (!this.holds(block, inst, leader)) lead();
    else if (isUniformReg(dest) && !isUniformReg(leader.reg)) {
      remark.missed(overwritten, "register-class", { inst, block, leader: leader.reg, dest });
    } else if (!this.budget.take(replace)) remark.missed(replace, "commoning-budget", { inst, block });
    else if (dest === leader.reg) this.repeated.push({ block, inst, leader });
    else replace.look(this, { block, inst, leader })?.request()?.commit();
  }

  private lead(inst: Inst, expression: number, version: number): void {
    const reg = defsOf(inst)[0] as Reg;
    this.leaders.push({ inst: inst.id, reg, version, at: this.seen });
    if (!this.remark.listening) return;
    const slot = this.slot();
    this.shown.set(slot, this.seen);
    this.view.set(slot, { at: this.seen, key: expression, reg: regName(reg), inst: printInst(this.edit.func, inst) });
  }

  /** The leader's register still has the value. */
  private holds(block: BlockId, inst: Inst, leader: Leader): boolean {
    const held = this.current.get(leader.reg) === leader.version;
    return this.remark.holds(overwritten, "value-overwritten", held, { inst, block, leader: leader.reg });
  }
}
