/** One function of the pipeline as a Bril function: blocks in layout order, guards as branches, PHIs as `set` and `get`. */

import type { BlockId, Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg } from "../../../../engine/ir/reg.ts";
import type { Block, Func, Guard, Inst } from "../../../../engine/ir/types.ts";
import {
  alwaysRuns,
  branchTarget,
  defsOf,
  getBlock,
  isUnconditional,
  phiInput,
  phisOf,
  tableName,
  terminatorsOf,
  usesOf,
} from "../../../../engine/ir/visit.ts";
import { type BrilFunction, madeName } from "../ast.ts";
import type { BrilFunctionNames, BrilNames } from "../names.ts";
import { LAST_CHAR } from "../values.ts";
import { kindsOf } from "./kinds.ts";
import { writeInst } from "./ops.ts";
import { printedOp } from "./printed.ts";
import { tidy } from "./tidy.ts";
import { NoForm, Writer, wordOf } from "./writer.ts";

export interface WrittenBril {
  readonly fn: BrilFunction;
  /** What has no form in Bril, a sentence each. */
  readonly problems: readonly string[];
}

export function brilFunction(fn: Func, own: BrilFunctionNames, names: BrilNames): WrittenBril {
  return new FunctionWriter(fn, own, names).run();
}

class FunctionWriter {
  private readonly fn: Func;
  private readonly own: BrilFunctionNames;
  private readonly names: BrilNames;
  private readonly w: Writer;
  private readonly problems = new Set<string>();
  private readonly labels = new Map<BlockId, string>();
  private readonly targets = new Set<BlockId>();
  private readonly uses = new Map<Reg, number>();
  /** Name that the PHI of a block is sent to. */
  private readonly sent = new Map<Inst, string>();

  constructor(fn: Func, own: BrilFunctionNames, names: BrilNames) {
    this.fn = fn;
    this.own = own;
    this.names = names;
    this.w = new Writer(own, kindsOf(fn, names));
    const phiOf = new Set<Reg>();
    for (const id of fn.layout) {
      const block = getBlock(fn, id);
      for (const inst of block.insts) for (const reg of usesOf(inst)) this.uses.set(reg, (this.uses.get(reg) ?? 0) + 1);
      for (const [i, target] of block.succs.entries()) if (i > 0 || terminatorsOf(block).insts.length > 0) this.targets.add(target);
      for (const phi of phisOf(block)) {
        const [dest] = defsOf(phi);
        if (dest === undefined) continue;
        // Two PHIs of one register get separate names.
        this.sent.set(phi, phiOf.has(dest) ? this.w.fresh("phi") : this.w.variable(dest));
        phiOf.add(dest);
      }
    }
  }

  run(): WrittenBril {
    const { fn, own, w } = this;
    for (const reg of this.unwritten()) w.start(reg);
    for (const [i, id] of fn.layout.entries()) this.block(getBlock(fn, id), fn.layout[i + 1] ?? null);
    const params = fn.params.map((p, i) => ({ name: madeName(w.variable(p.reg)), type: own.params[i]?.type ?? w.kinds(p.reg) }));
    const items = tidy(w.items, w.temps);
    return { fn: { name: madeName(own.name), params, type: own.type, items, endLine: 0 }, problems: [...this.problems] };
  }

  /** Registers that are read though nothing writes them any longer: a phase may leave such reads in blocks that are never reached. */
  private unwritten(): readonly Reg[] {
    const { fn } = this;
    const written = new Set<Reg>(fn.params.map((p) => p.reg));
    for (const id of fn.layout) for (const inst of getBlock(fn, id).insts) for (const reg of defsOf(inst)) written.add(reg);
    return [...this.uses.keys()].filter((reg) => !isConstantReg(reg) && !written.has(reg));
  }

  private block(block: Block, next: BlockId | null): void {
    const { w } = this;
    if (this.targets.has(block.id) || this.own.labels.has(block.label)) w.label(this.labelOf(block.id));
    const phis = phisOf(block);
    for (const phi of phis) this.attempt(phi, () => this.receive(phi));
    const { at, insts: ends } = terminatorsOf(block);
    const body = block.insts.slice(phis.length, at);
    for (let i = 0; i < body.length; ) i = this.straight(body, i);
    for (const succ of block.succs) this.send(block, succ);
    this.endings(ends, next);
  }

  private receive(phi: Inst): void {
    const { w } = this;
    const [dest] = defsOf(phi);
    if (dest === undefined || isConstantReg(dest)) return;
    const type = w.kinds(dest);
    const name = this.sent.get(phi) ?? w.variable(dest);
    w.emit("get", name, type, []);
    if (name !== w.variable(dest)) w.emit("id", w.variable(dest), type, [name]);
  }

  private send(from: Block, to: BlockId): void {
    const { w } = this;
    for (const phi of phisOf(getBlock(this.fn, to))) {
      const value = phiInput(phi, from.id);
      const [dest] = defsOf(phi);
      const name = this.sent.get(phi);
      if (value === null || dest === undefined || name === undefined) continue;
      this.attempt(phi, () => w.effect("set", [name, w.read(value, w.kinds(dest))]));
    }
  }

  /** Writes what begins at an index; the index after it. */
  private straight(body: readonly Inst[], at: number): number {
    const checked = this.checkedOp(body, at);
    if (checked !== null) {
      this.attempt(checked, () => this.checkedForm(checked));
      return at + 3;
    }
    const inst = body[at];
    if (inst === undefined) return at + 1;
    if (inst.guard === null || alwaysRuns(inst)) {
      this.attempt(inst, () => writeInst(this.w, inst, this.names));
      return at + 1;
    }
    // Consecutive instructions with the same guard share one branch.
    const { reg, neg } = inst.guard;
    let end = at;
    for (let i = at; i < body.length; i++) {
      const one = body[i];
      if (one?.guard?.reg !== reg || one.guard.neg !== neg) break;
      end = i + 1;
      if (defsOf(one).includes(reg)) break;
    }
    const group = body.slice(at, end);
    const { w } = this;
    this.attempt(inst, () => {
      const { name } = w.predicate(inst.guard ?? { reg, neg });
      w.when(name, neg, () => {
        for (const one of group) this.attempt(one, () => writeInst(w, { ...one, guard: null }, this.names));
      });
    });
    return end;
  }

  /** A check of an operand, the trap after it, and the operation that Bril itself checks so: `div`, `int2char`. */
  private checkedOp(body: readonly Inst[], at: number): Inst | null {
    const [test, trap, op] = [body[at], body[at + 1], body[at + 2]];
    const [bad, tested, bound] = test?.ops ?? [];
    if (test?.op !== "ISETP" || trap?.op !== "BPT" || op === undefined || test.guard !== null || op.guard !== null) return null;
    if (bad?.kind !== "reg" || tested?.kind !== "reg" || bound === undefined || test.ops.length !== 3) return null;
    if (trap.guard?.reg !== bad.reg || trap.guard.neg || this.uses.get(bad.reg) !== 1) return null;
    const mods = test.mods.join(".");
    const isDivision = op.op === "IDIV" && op.mods.join(".") === "64" && mods === "EQ.64" && wordOf(bound) === 0n;
    const isChar = op.op === "I2I" && op.mods.join(".") === "U32.U64" && mods === "GT.U32.64" && wordOf(bound) === BigInt(LAST_CHAR);
    const operand = op.ops[isDivision ? 2 : 1];
    const same = operand?.kind === "reg" && operand.reg === tested.reg && !operand.neg && !tested.neg;
    return (isDivision || isChar) && same ? op : null;
  }

  private checkedForm(op: Inst): void {
    const { w, names } = this;
    const [dest, a, b] = op.ops;
    if (op.op !== "IDIV" || dest?.kind !== "reg") {
      writeInst(w, op, names);
      return;
    }
    w.assign(dest.reg, "int", (d) => w.emit("div", d, "int", [w.read(a, "int"), w.read(b, "int")]));
  }

  // --- control -----------------------------------------------------------------------------------------------------------------

  private endings(ends: readonly Inst[], next: BlockId | null): void {
    const { w } = this;
    for (let i = 0; i < ends.length; i++) {
      const inst = ends[i];
      if (inst === undefined) continue;
      const following = ends[i + 1];
      this.attempt(inst, () => {
        const target = branchTarget(inst);
        if (target === null) {
          this.leave(inst, next);
          return;
        }
        const condition = this.condition(inst);
        if (condition === null) {
          w.effect("jmp", [], [this.labelOf(target)]);
          return;
        }
        const other = following === undefined ? null : branchTarget(following);
        const isPair = following !== undefined && other !== null && isUnconditional(following);
        if (isPair) i++;
        let otherwise: string;
        if (isPair && other !== null) otherwise = this.labelOf(other);
        else if (following === undefined && next !== null) otherwise = this.labelOf(next);
        else otherwise = w.freshLabel("next");
        const labels = [this.labelOf(target), otherwise];
        w.effect("br", [condition.name], condition.neg ? labels.reverse() : labels);
        if (!isPair && following !== undefined) w.label(otherwise);
      });
    }
  }

  /** The exits of a function, and jumps through a table. */
  private leave(inst: Inst, next: BlockId | null): void {
    const { w } = this;
    const table = this.fn.tables.get(tableName(inst) ?? "");
    if (table !== undefined) {
      const [index] = inst.ops;
      const value = w.read(index, "int");
      for (const [i, entry] of table.entries.entries()) {
        const following = w.freshLabel("next");
        w.effect("br", [w.value("eq", "bool", [value, w.int(i)])], [this.labelOf(entry), following]);
        w.label(following);
      }
      if (table.default === null) throw new NoForm(`${printedOp(inst)} through a table without a default`);
      w.effect("jmp", [], [this.labelOf(table.default)]);
      return;
    }
    const [result] = this.fn.returns;
    const condition = this.condition(inst);
    const values = inst.op === "RET" && result !== undefined ? [condition === null ? this.returned(result) : w.variable(result)] : [];
    // No jump is needed where the text ends anyway.
    const isLast = next === null && inst.line === 0 && values.length === 0;
    if (condition !== null) w.when(condition.name, condition.neg, () => w.effect("ret", values));
    else if (!isLast) w.effect("ret", values);
  }

  /** The variable that is returned: what was copied to the result last, where that was right before. */
  private returned(result: Reg): string {
    const { w } = this;
    const name = w.variable(result);
    const last = w.items.at(-1);
    const [source] = last?.kind === "inst" && last.op === "id" && last.dest?.text === name ? last.args : [];
    if (source === undefined) return name;
    w.items.pop();
    return source.text;
  }

  private condition(inst: Inst): { readonly name: string; readonly neg: boolean } | null {
    const { w } = this;
    const [operand] = inst.ops;
    const own = operand?.kind === "reg" && inst.op === "BRA" ? { reg: operand.reg, neg: operand.neg } : null;
    const parts = [inst.guard, own].flatMap((g): Guard[] => (g === null || (isConstantReg(g.reg) && !g.neg) ? [] : [g]));
    const [first, second] = parts;
    if (first === undefined) return null;
    if (second === undefined) return w.predicate(first);
    const [a, b] = [first, second].map((g) => (g.neg ? w.not(w.readReg(g.reg, "bool")) : w.readReg(g.reg, "bool")));
    return { name: w.value("and", "bool", [a ?? "", b ?? ""]), neg: false };
  }

  private labelOf(id: BlockId): string {
    let label = this.labels.get(id);
    if (label === undefined) {
      label = this.w.blockLabel(getBlock(this.fn, id).label);
      this.labels.set(id, label);
    }
    return label;
  }

  private attempt(inst: Inst, write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!(error instanceof NoForm)) throw error;
      const where = inst.line > 0 ? `line ${inst.line}` : "made by a phase";
      this.problems.add(`@${this.own.name}: ${error.message} (${where})`);
    }
  }
}
