/** Everything that a pass of one's own can do, one method each: edits are checked, asked for and written down here and nowhere else. */

import type { Editor, PhiValue } from "../ir/edit.ts";
import type { BlockId, InstId } from "../ir/ids.ts";
import { parseReg, REG_CLASSES, type RegClass, regName } from "../ir/reg.ts";
import type { Block, Func, Inst, Module } from "../ir/types.ts";
import { getBlock, isTerminator, phiInput, terminatorsOf } from "../ir/visit.ts";
import type { About } from "../remark/holes.ts";
import type { Remarks } from "../remark/remarks.ts";
import type { RuleTable } from "../remark/rules.ts";
import type { ShownTable } from "../remark/shown.ts";
import { printInst } from "../text/printer.ts";
import type { CellValue } from "../trace/recorder.ts";
import { PASS_LIMITS, type PassLimits, PassMeter } from "./limits.ts";
import { PHI_HEAD, readLine } from "./lines.ts";
import { PassEnds, PassError } from "./pass-error.ts";
import { type OwnRule, ruleAt } from "./rules.ts";
import { Numbering, type ScriptEntry, type ScriptFocus, type ScriptPhi, type ScriptValue, type StructureKind } from "./script.ts";

/** What a sentence is about, by identity. */
export interface ActionFocus {
  readonly blocks?: readonly BlockId[];
  readonly insts?: readonly InstId[];
  readonly regs?: readonly string[];
  readonly edges?: readonly (readonly [BlockId, BlockId])[];
}

/** Where PHI inputs of a new edge come from; null: none are made. */
export type PhiSource = { readonly like: BlockId } | { readonly ask: (phi: Inst) => string } | null;

export interface ActionsOptions {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly table: RuleTable;
  readonly module: Module;
  /** Takes down what is done; null: nobody asks. */
  readonly script: ScriptEntry[] | null;
  readonly limits?: PassLimits;
}

export class Actions {
  readonly edit: Editor;
  readonly module: Module;
  /** Line of the source that runs. */
  line = 1;
  private readonly remark: Remarks;
  private readonly table: RuleTable;
  private readonly script: ScriptEntry[] | null;
  private readonly meter: PassMeter;
  private readonly numbers: Numbering;
  private readonly structures: ShownTable<CellValue>[] = [];
  private readonly refusals = new Map<string, number>();
  /** Block of each instruction; an entry counts only while the block has it. */
  private readonly homes = new Map<InstId, BlockId>();
  /** Places of instructions in blocks that were asked about, as of a version of the function. */
  private readonly places = new Map<BlockId, { readonly version: number; readonly byId: ReadonlyMap<InstId, number> }>();
  private rewriting = false;
  private reason: string | null = null;

  constructor({ edit, remark, table, module, script, limits }: ActionsOptions) {
    this.edit = edit;
    this.remark = remark;
    this.table = table;
    this.module = module;
    this.script = script;
    this.numbers = new Numbering(edit.func);
    let size = 0;
    for (const id of edit.func.layout) {
      for (const inst of getBlock(edit.func, id).insts) this.homes.set(inst.id, id);
      size += getBlock(edit.func, id).insts.length + 1;
    }
    this.meter = new PassMeter(limits ?? PASS_LIMITS, size);
  }

  get func(): Func {
    return this.edit.func;
  }

  // --- saying --------------------------------------------------------------------------------------------------------------------

  /** Source lines that ran, a step each. */
  lines(lines: readonly number[], source: readonly string[]): void {
    this.note(["lines", lines], lines.length);
    for (const at of lines) this.remark.step(ruleAt(this.table, at), "line", { said: (source[at - 1] ?? "").trim() });
  }

  step(said: string, focus: ActionFocus): void {
    this.note(["step", this.line, said, this.wire(focus)], said.length);
    this.remark.step(this.rule(), "step", { said, ...this.about(focus) });
  }

  because(said: string, focus: ActionFocus): void {
    this.note(["because", this.line, said, this.wire(focus)], said.length);
    this.remark.matched(this.rule(), "because", { said, ...this.about(focus) });
  }

  refuse(reason: string, said: string, focus: ActionFocus): void {
    this.note(["refuse", this.line, reason, said, this.wire(focus)], said.length + reason.length);
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
    this.remark.missed(this.rule(), "refused", { said, ...this.about(focus), also: { reason } });
  }

  span<T>(said: string, focus: ActionFocus, body: () => T): T {
    this.note(["span", this.line, said, this.wire(focus)], said.length);
    const value = this.remark.span(this.rule(), "step", { said, ...this.about(focus) }, body);
    this.note(["end"], 0);
    return value;
  }

  why(sentence: string): void {
    this.note(["why", sentence], sentence.length);
    this.reason = sentence;
  }

  structure(kind: StructureKind, title: string): number {
    this.note(["structure", kind, title], title.length);
    return this.structures.push(this.remark.shown.table<CellValue>(`own-${kind}-${this.structures.length + 1}`, title)) - 1;
  }

  write(structure: number, key: string, value: ScriptValue): void {
    this.note(["write", this.line, structure, key, value], key.length + sizeOf(value));
    this.structures[structure]?.set(key, value);
  }

  erase(structure: number, key: string): void {
    this.note(["erase", this.line, structure, key], key.length);
    this.structures[structure]?.remove(key);
  }

  // --- asking --------------------------------------------------------------------------------------------------------------------

  permit(said: string, focus: ActionFocus): boolean {
    const granted = this.remark.askAhead(this.rule(), "rewrite", { said, ...this.about(focus) });
    this.note(["permit", this.line, said, this.wire(focus), granted], said.length);
    return granted;
  }

  rewrite(said: string, focus: ActionFocus, edits: () => void): boolean {
    if (this.rewriting) throw new PassError("A rewrite inside of a rewrite: it would be refused or done apart from the one around it.");
    const place = this.script?.length ?? 0;
    const wired = this.wire(focus);
    this.note(["rewrite", this.line, said, wired, false], said.length);
    const done = this.remark.found(this.rule(), "rewrite", { said, ...this.about(focus) }, () => {
      if (this.script !== null) this.script[place] = ["rewrite", this.line, said, wired, true];
      this.rewriting = true;
      edits();
      this.rewriting = false;
      this.note(["end"], 0);
      return true;
    });
    return done === true;
  }

  /** Why nothing changed, and how many candidates there were. */
  outcome(): { readonly why: string; readonly refused: number } {
    const reasons = [...this.refusals].map(([reason, n]) => (n === 1 ? reason : `${reason} (${n} times)`));
    const refused = [...this.refusals.values()].reduce((sum, n) => sum + n, 0);
    const said = refused > 0 ? `every candidate was refused: ${reasons.join(", ")}` : "the pass asked for no rewrite";
    return { why: this.reason ?? said, refused };
  }

  // --- editing -------------------------------------------------------------------------------------------------------------------

  freshReg(cls: string): string {
    const found = REG_CLASSES.find((c): c is RegClass => c === cls);
    if (found === undefined) throw new PassError(`There is no class of registers '${clip(cls)}': ${REG_CLASSES.join(", ")}.`);
    this.note(["fresh", found], 0);
    return regName(this.edit.freshReg(found));
  }

  insert(block: BlockId, at: number, text: string): Inst {
    const inst = this.read(text);
    const { insts } = this.at(block);
    if (!(Number.isInteger(at) && at >= 0 && at <= insts.length)) throw new PassError(`${this.label(block)} has no place ${at}.`);
    if (isTerminator(inst)) throw new PassError(`'${text}' ends a block: use append or setTerminators.`);
    this.placed(inst, insts, at);
    this.note(["insert", this.line, this.numbers.blockNumber(block), at, text], text.length);
    return this.change(`'${text}' is inserted`, { blocks: [block] }, () => this.put(block, at, inst, null));
  }

  append(block: BlockId, text: string, phi: PhiSource): Inst {
    const inst = this.read(text);
    const found = this.at(block);
    const at = isTerminator(inst) ? found.insts.length : terminatorsOf(found).at;
    this.placed(inst, found.insts, at);
    return this.withPhi(phi, (value, wired) => {
      this.note(["append", this.line, this.numbers.blockNumber(block), text, wired], text.length);
      return this.change(`'${text}' is inserted`, { blocks: [block] }, () => this.put(block, at, inst, value));
    });
  }

  remove(id: InstId, phi: PhiSource): void {
    const { inst, block, at } = this.find(id);
    this.withPhi(phi, (value, wired) => {
      this.note(["remove", this.line, this.numbers.instNumber(id), wired], 0);
      const said = `'${printInst(this.func, inst)}' is removed`;
      this.change(said, { insts: [id], blocks: [block] }, () => this.edit.remove(block, at, value ?? undefined));
    });
  }

  replace(id: InstId, text: string, phi: PhiSource): void {
    const { inst, block, at } = this.find(id);
    const made = this.read(text);
    if ((made.op === "PHI") !== (inst.op === "PHI"))
      throw new PassError("A PHI and another instruction cannot replace each other: remove one and insert the other.");
    if (isTerminator(made) !== isTerminator(inst))
      throw new PassError("A branch and another instruction cannot replace each other: use setTerminators.");
    this.withPhi(phi, (value, wired) => {
      this.note(["replace", this.line, this.numbers.instNumber(id), text, wired], text.length);
      const said = `'${printInst(this.func, inst)}' becomes '${text}'`;
      const changed = { ...made, id, line: inst.line, trivia: inst.trivia };
      this.change(said, { insts: [id], blocks: [block] }, () => this.edit.replace(block, at, changed, value ?? undefined));
    });
  }

  /** `at`: after it was taken out. */
  move(id: InstId, to: BlockId, at: number): void {
    const { inst, block, at: from } = this.find(id);
    if (isTerminator(inst)) throw new PassError("A branch is not moved: use setTerminators.");
    const rest = this.at(to).insts.filter((i) => i.id !== id);
    if (!(Number.isInteger(at) && at >= 0 && at <= rest.length)) throw new PassError(`${this.label(to)} has no place ${at}.`);
    this.placed(inst, rest, at);
    this.note(["move", this.line, this.numbers.instNumber(id), this.numbers.blockNumber(to), at], 0);
    this.change(`'${printInst(this.func, inst)}' moves to ${this.label(to)}`, { insts: [id], blocks: [block, to] }, () => {
      this.edit.move(block, from, to, at);
      this.homes.set(id, to);
    });
  }

  setTerminators(block: BlockId, texts: readonly string[], phi: PhiSource): void {
    const made = texts.map((text) => this.read(text));
    for (const [i, inst] of made.entries()) if (!isTerminator(inst)) throw new PassError(`'${texts[i]}' does not end a block.`);
    this.at(block);
    this.withPhi(phi, (value, wired) => {
      this.note(["terminators", this.line, this.numbers.blockNumber(block), texts, wired], texts.join().length);
      const said = texts.length === 0 ? `${this.label(block)} falls through` : `${this.label(block)} ends with '${texts.join("; ")}'`;
      this.change(said, { blocks: [block] }, () => this.edit.setTerminators(block, made, value ?? undefined));
      for (const inst of made) this.homes.set(inst.id, block);
    });
  }

  redirect(block: BlockId, from: BlockId, to: BlockId, phi: PhiSource): void {
    for (const id of [block, from, to]) this.at(id);
    this.withPhi(phi, (value, wired) => {
      const { blockNumber } = { blockNumber: (id: BlockId) => this.numbers.blockNumber(id) };
      this.note(["redirect", this.line, blockNumber(block), blockNumber(from), blockNumber(to), wired], 0);
      const said = `${this.label(block)} goes to ${this.label(to)} instead of ${this.label(from)}`;
      this.change(said, { blocks: [block, from, to] }, () => this.edit.redirect(block, from, to, value ?? undefined));
    });
  }

  addBlock(label: string, after: BlockId, texts: readonly string[], phi: PhiSource): BlockId {
    if (!/^[A-Za-z_$.][A-Za-z0-9_$.]{0,200}$/.test(label)) throw new PassError(`'${clip(label)}' is no label.`);
    this.at(after);
    const made = texts.map((text) => this.read(text));
    return this.withPhi(phi, (value, wired) => {
      this.note(["add-block", this.line, label, this.numbers.blockNumber(after), texts, wired], texts.join().length + label.length);
      return this.change(`a block ${label} is made`, { blocks: [after] }, () => {
        this.meter.grow();
        const id = this.edit.addBlock(label, this.edit.position(after) + 1, made, value ?? undefined);
        for (const inst of made) this.homes.set(inst.id, id);
        return id;
      });
    });
  }

  makeJump(block: BlockId): void {
    this.at(block);
    this.note(["make-jump", this.line, this.numbers.blockNumber(block)], 0);
    this.change(`the fall-through of ${this.label(block)} becomes a branch`, { blocks: [block] }, () =>
      this.edit.materializeFallthrough(block),
    );
  }

  split(id: InstId, label: string): BlockId {
    const { inst, block, at } = this.find(id);
    if (inst.op === "PHI") throw new PassError("A block is not split before a PHI.");
    if (!/^[A-Za-z_$.][A-Za-z0-9_$.]{0,200}$/.test(label)) throw new PassError(`'${clip(label)}' is no label.`);
    this.note(["split", this.line, this.numbers.instNumber(id), label], label.length);
    return this.change(`${this.label(block)} is split before '${printInst(this.func, inst)}'`, { blocks: [block], insts: [id] }, () => {
      this.meter.grow();
      const made = this.edit.splitBlock(block, at, label);
      for (const one of this.at(made).insts) this.homes.set(one.id, made);
      return made;
    });
  }

  removeBlock(block: BlockId, phi: PhiSource): void {
    const found = this.at(block);
    if (this.func.layout[0] === block) throw new PassError(`${found.label} is the entry: it stays.`);
    const other = this.func.layout.find((id) => id !== block && branchesTo(getBlock(this.func, id), block, this.func));
    if (other !== undefined) throw new PassError(`${found.label} is not removed: ${this.label(other)} names it.`);
    this.withPhi(phi, (value, wired) => {
      this.note(["remove-block", this.line, this.numbers.blockNumber(block), wired], 0);
      this.change(`${found.label} is removed`, { blocks: [block] }, () => this.edit.removeBlock(block, value ?? undefined));
    });
  }

  // --- reading -------------------------------------------------------------------------------------------------------------------

  /** The instruction and where it stands; an error when it was removed. */
  find(id: InstId): { readonly inst: Inst; readonly block: BlockId; readonly at: number } {
    const found = this.lookup(id);
    if (found === null) throw new PassError("The instruction was removed.");
    return found;
  }

  lookup(id: InstId): { readonly inst: Inst; readonly block: BlockId; readonly at: number } | null {
    const home = this.homes.get(id);
    if (home !== undefined) {
      const found = this.within(home, id);
      if (found !== null) return found;
    }
    // An edit of branches makes instructions of its own.
    for (const block of this.func.layout) {
      const found = this.within(block, id);
      if (found === null) continue;
      this.homes.set(id, block);
      return found;
    }
    this.homes.delete(id);
    return null;
  }

  private within(block: BlockId, id: InstId): { readonly inst: Inst; readonly block: BlockId; readonly at: number } | null {
    const insts = this.func.blocks[block]?.insts;
    if (insts === undefined) return null;
    const { version } = this.func;
    let places = this.places.get(block);
    if (places?.version !== version) {
      places = { version, byId: new Map(insts.map((inst, i) => [inst.id, i])) };
      this.places.set(block, places);
    }
    const at = places.byId.get(id) ?? -1;
    const inst = insts[at];
    return inst === undefined ? null : { inst, block, at };
  }

  at(block: BlockId): Block {
    const found = this.func.blocks[block];
    if (found === undefined) throw new PassError("The block was removed.");
    return found;
  }

  // --- inside --------------------------------------------------------------------------------------------------------------------

  private rule(): OwnRule {
    return ruleAt(this.table, this.line);
  }

  private note(entry: ScriptEntry, characters: number): void {
    this.meter.step(characters + 8);
    this.script?.push(entry);
  }

  private change<T>(said: string, focus: ActionFocus, apply: () => T): T {
    if (this.rewriting) return apply();
    let result: { readonly value: T } | null = null;
    this.remark.found(this.rule(), "rewrite", { said, ...this.about(focus) }, () => {
      result = { value: apply() };
    });
    const done = result as { readonly value: T } | null;
    if (done === null) throw new PassEnds(`refused: ${said}`);
    return done.value;
  }

  private put(block: BlockId, at: number, inst: Inst, phi: PhiValue | null): Inst {
    this.meter.grow();
    this.edit.insert(block, at, inst, phi ?? undefined);
    this.homes.set(inst.id, block);
    return inst;
  }

  /** PHIs stay at the head, and nothing else gets between them. */
  private placed(inst: Inst, insts: readonly Inst[], at: number): void {
    const isPhi = inst.op === "PHI";
    if (isPhi && insts[at - 1] !== undefined && insts[at - 1]?.op !== "PHI") throw new PassError("A PHI stands at the head of its block.");
    if (!isPhi && insts[at]?.op === "PHI") throw new PassError("Nothing stands before a PHI.");
    if (!isTerminator(inst) && insts[at - 1] !== undefined && isTerminator(insts[at - 1] as Inst))
      throw new PassError("Nothing stands after a branch.");
  }

  /** An instruction of its own, not in any block yet; its registers are the function's. */
  private read(text: string): Inst {
    const parsed = readLine(text, this.func, this.module);
    return this.edit.make(parsed.op, parsed.ops, { mods: parsed.mods, guard: parsed.guard });
  }

  /** Answers of `ask` are taken down as they come. */
  private withPhi<T>(source: PhiSource, body: (value: PhiValue | null, wired: ScriptPhi) => T): T {
    if (source === null) return body(null, null);
    if ("like" in source) {
      const { like } = source;
      const value: PhiValue = (_succ, phi) => {
        const found = phiInput(phi, like);
        if (found === null) throw new PassError(`'${printInst(this.func, phi)}' has no input for ${this.label(like)}.`);
        return found;
      };
      return body(value, { like: this.numbers.blockNumber(like) });
    }
    const values: string[] = [];
    const value: PhiValue = (_succ, phi) => {
      const text = source.ask(phi);
      values.push(text);
      const [def] = phi.ops;
      const [first] = this.func.layout;
      const name = def?.kind === "reg" ? regName(def.reg) : "R0";
      const label = first === undefined ? "" : this.label(first);
      const operand = readLine(`${PHI_HEAD} ${name}, [${label}: ${text}]`, this.func, this.module).ops[1];
      return operand?.kind === "phi" ? operand.value : null;
    };
    return body(value, { values });
  }

  private label(block: BlockId): string {
    return this.func.blocks[block]?.label ?? `#${block}`;
  }

  private about({ blocks, insts, regs, edges }: ActionFocus): About {
    return {
      ...(insts === undefined ? {} : { insts }),
      ...(blocks === undefined ? {} : { blocks }),
      ...(regs === undefined ? {} : { regs: regs.map((name) => parseReg(name)).filter((r) => r !== null) }),
      ...(edges === undefined ? {} : { edges }),
    };
  }

  private wire({ blocks, insts, regs, edges }: ActionFocus): ScriptFocus {
    if (this.script === null) return NOTHING;
    const block = (id: BlockId): number => this.numbers.blockNumber(id);
    return {
      ...(blocks === undefined ? {} : { blocks: blocks.map(block) }),
      ...(insts === undefined ? {} : { insts: insts.map((id) => this.numbers.instNumber(id)) }),
      ...(regs === undefined ? {} : { regs }),
      ...(edges === undefined ? {} : { edges: edges.map(([a, b]) => [block(a), block(b)] as const) }),
    };
  }
}

const NOTHING: ScriptFocus = {};

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

function sizeOf(value: ScriptValue): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 4;
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + sizeOf(part as ScriptValue), 2);
}

/** An instruction or a table of the block names another block; falling into it is no name. */
function branchesTo(block: Block, to: BlockId, fn: Func): boolean {
  return block.insts.some((inst) =>
    inst.ops.some((operand) => {
      if (operand.kind === "label") return operand.block === to;
      const table = operand.kind === "table" ? fn.tables.get(operand.name) : undefined;
      return table !== undefined && (table.default === to || table.entries.includes(to));
    }),
  );
}
