/** Everything that a user's pass can do, one method each. Edits are checked, requested and recorded here and nowhere else. */

import { PassEnds, PassError } from "../../../../engine/api/own/pass-error.ts";
import type { PhiValue } from "../../../../engine/ir/edit.ts";
import type { BlockId, InstId } from "../../../../engine/ir/ids.ts";
import { REG_CLASSES, type RegClass, regName } from "../../../../engine/ir/reg.ts";
import type { Block, Inst, JumpTable } from "../../../../engine/ir/types.ts";
import { getBlock, isTerminator, phiInput, tableName, terminatorsOf } from "../../../../engine/ir/visit.ts";
import { printInst } from "../../../../engine/text/printer.ts";
import { type Home, Homes } from "./homes.ts";
import { PHI_HEAD, readLine } from "./lines.ts";
import { type ActionFocus, Saying, type SayingOptions } from "./saying.ts";
import type { ScriptPhi } from "./script.ts";

/** Where PHI inputs of a new edge come from; null: there are none. */
export type PhiSource = { readonly like: BlockId } | { readonly ask: (phi: Inst) => string } | null;

/** The new contents of a table. */
type TableChange = Pick<JumpTable, "base" | "entries" | "default">;

const MOST_ENTRIES = 10_000;
const MOST_FOCUSED = 50;

export class Actions extends Saying {
  private readonly homes: Homes;

  constructor(options: SayingOptions) {
    super(options);
    this.homes = new Homes(this.func);
  }

  /** The instruction and its place; throws if it was removed. */
  find(id: InstId): Home {
    const found = this.lookup(id);
    if (found === null) throw new PassError("The instruction was removed.");
    return found;
  }

  lookup(id: InstId): Home | null {
    return this.homes.lookup(this.func, id);
  }

  at(block: BlockId): Block {
    const found = this.func.blocks[block];
    if (found === undefined) throw new PassError("The block was removed.");
    return found;
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
    if (!(Number.isInteger(at) && at >= 0 && at <= insts.length)) throw new PassError(`${this.label(block)} has no position ${at}.`);
    if (isTerminator(inst)) throw new PassError(`'${text}' ends a block: use append or setTerminators.`);
    this.placed(inst, insts, at);
    this.note(["insert", this.line, this.numbers.blockNumber(block), at, text], text.length);
    return this.change(
      () => `'${text}' is inserted`,
      { blocks: [block] },
      () => this.put(block, at, inst, null),
    );
  }

  append(block: BlockId, text: string, phi: PhiSource): Inst {
    const inst = this.read(text);
    const found = this.at(block);
    const at = isTerminator(inst) ? found.insts.length : terminatorsOf(found).at;
    this.placed(inst, found.insts, at);
    return this.withPhi(phi, (value, wired) => {
      this.note(["append", this.line, this.numbers.blockNumber(block), text, wired], text.length);
      return this.change(
        () => `'${text}' is inserted`,
        { blocks: [block] },
        () => this.put(block, at, inst, value),
      );
    });
  }

  remove(id: InstId, phi: PhiSource): void {
    const { inst, block, at } = this.find(id);
    this.withPhi(phi, (value, wired) => {
      this.note(["remove", this.line, this.numbers.instNumber(id), wired], 0);
      const said = (): string => `'${printInst(this.func, inst)}' is removed`;
      this.change(said, { insts: [id], blocks: [block] }, () => this.edit.remove(block, at, value ?? undefined));
    });
  }

  replace(id: InstId, text: string, phi: PhiSource): void {
    this.find(id);
    this.replaceBy(id, this.read(text), text, phi);
  }

  /** Replaces registers by others of the same classes: the instruction stays valid, so its text need not be parsed. */
  rename(id: InstId, made: Inst): void {
    // The replay parses the text, which takes an id.
    this.edit.freshInstId();
    this.replaceBy(id, made, printInst(this.func, made), null);
  }

  private replaceBy(id: InstId, made: Inst, text: string, phi: PhiSource): void {
    const { inst, block, at } = this.find(id);
    if ((made.op === "PHI") !== (inst.op === "PHI"))
      throw new PassError("A PHI and another instruction cannot replace each other: remove one and insert the other.");
    if (isTerminator(made) !== isTerminator(inst))
      throw new PassError("A branch and another instruction cannot replace each other: use setTerminators.");
    this.withPhi(phi, (value, wired) => {
      this.note(["replace", this.line, this.numbers.instNumber(id), text, wired], text.length);
      const said = (): string => `'${printInst(this.func, inst)}' becomes '${text}'`;
      const changed = { ...made, id, line: inst.line, trivia: inst.trivia };
      this.change(said, { insts: [id], blocks: [block] }, () => this.edit.replace(block, at, changed, value ?? undefined));
    });
  }

  /** `at`: the position once the instruction is taken out. */
  move(id: InstId, to: BlockId, at: number): void {
    const { inst, block, at: from } = this.find(id);
    if (isTerminator(inst)) throw new PassError("A branch cannot be moved: use setTerminators.");
    const rest = this.at(to).insts.filter((i) => i.id !== id);
    if (!(Number.isInteger(at) && at >= 0 && at <= rest.length)) throw new PassError(`${this.label(to)} has no position ${at}.`);
    this.placed(inst, rest, at);
    this.note(["move", this.line, this.numbers.instNumber(id), this.numbers.blockNumber(to), at], 0);
    this.change(
      () => `'${printInst(this.func, inst)}' moves to ${this.label(to)}`,
      { insts: [id], blocks: [block, to] },
      () => {
        this.edit.move(block, from, to, at);
        this.homes.set([inst], to);
      },
    );
  }

  setTerminators(block: BlockId, texts: readonly string[], phi: PhiSource): void {
    const made = texts.map((text) => this.read(text));
    for (const [i, inst] of made.entries()) if (!isTerminator(inst)) throw new PassError(`'${texts[i]}' does not end a block.`);
    this.at(block);
    this.withPhi(phi, (value, wired) => {
      this.note(["terminators", this.line, this.numbers.blockNumber(block), texts, wired], texts.join().length);
      const said = (): string =>
        texts.length === 0 ? `${this.label(block)} falls through` : `${this.label(block)} ends with '${texts.join("; ")}'`;
      this.change(said, { blocks: [block] }, () => this.edit.setTerminators(block, made, value ?? undefined));
      this.homes.set(made, block);
    });
  }

  redirect(block: BlockId, from: BlockId, to: BlockId, phi: PhiSource): void {
    for (const id of [block, from, to]) this.at(id);
    this.withPhi(phi, (value, wired) => {
      const { blockNumber } = { blockNumber: (id: BlockId) => this.numbers.blockNumber(id) };
      this.note(["redirect", this.line, blockNumber(block), blockNumber(from), blockNumber(to), wired], 0);
      const said = (): string => `${this.label(block)} goes to ${this.label(to)} instead of ${this.label(from)}`;
      this.change(said, { blocks: [block, from, to] }, () => this.edit.redirect(block, from, to, value ?? undefined));
    });
  }

  addBlock(label: string, after: BlockId, texts: readonly string[], phi: PhiSource): BlockId {
    if (!/^[A-Za-z_$.][A-Za-z0-9_$.]{0,200}$/.test(label)) throw new PassError(`'${clip(label)}' is not a label.`);
    this.at(after);
    const made = texts.map((text) => this.read(text));
    return this.withPhi(phi, (value, wired) => {
      this.note(["add-block", this.line, label, this.numbers.blockNumber(after), texts, wired], texts.join().length + label.length);
      return this.change(
        () => `a block ${label} is made`,
        { blocks: [after] },
        () => {
          this.meter.grow();
          const id = this.edit.addBlock(label, this.edit.position(after) + 1, made, value ?? undefined);
          this.homes.set(made, id);
          return id;
        },
      );
    });
  }

  makeJump(block: BlockId): void {
    this.at(block);
    this.note(["make-jump", this.line, this.numbers.blockNumber(block)], 0);
    this.change(
      () => `the fall-through of ${this.label(block)} becomes a branch`,
      { blocks: [block] },
      () => this.edit.materializeFallthrough(block),
    );
  }

  split(id: InstId, label: string): BlockId {
    const { inst, block, at } = this.find(id);
    if (inst.op === "PHI") throw new PassError("A block cannot be split before a PHI.");
    if (!/^[A-Za-z_$.][A-Za-z0-9_$.]{0,200}$/.test(label)) throw new PassError(`'${clip(label)}' is not a label.`);
    this.note(["split", this.line, this.numbers.instNumber(id), label], label.length);
    return this.change(
      () => `${this.label(block)} is split before '${printInst(this.func, inst)}'`,
      { blocks: [block], insts: [id] },
      () => {
        this.meter.grow();
        const made = this.edit.splitBlock(block, at, label);
        this.homes.set(this.at(made).insts, made);
        return made;
      },
    );
  }

  removeBlock(block: BlockId, phi: PhiSource): void {
    const found = this.at(block);
    if (this.func.layout[0] === block) throw new PassError(`${found.label} is the entry and cannot be removed.`);
    const other = this.func.layout.find((id) => id !== block && namesBlock(getBlock(this.func, id), block));
    if (other !== undefined) throw new PassError(`${found.label} cannot be removed: ${this.label(other)} refers to it.`);
    const table = [...this.func.tables.values()].find((t) => t.default === block || t.entries.includes(block));
    if (table !== undefined)
      throw new PassError(
        `${found.label} cannot be removed: the table ${table.name} refers to it. Change the table with setTable, or remove it with removeTable.`,
      );
    this.withPhi(phi, (value, wired) => {
      this.note(["remove-block", this.line, this.numbers.blockNumber(block), wired], 0);
      this.change(
        () => `${found.label} is removed`,
        { blocks: [block] },
        () => this.edit.removeBlock(block, value ?? undefined),
      );
    });
  }

  tableOf(name: string): JumpTable {
    const found = this.func.tables.get(name);
    if (found === undefined) throw new PassError(`There is no table ${clip(name)}.`);
    return found;
  }

  setTable(name: string, { base, entries, default: otherwise }: TableChange, phi: PhiSource): void {
    const now = this.tableOf(name);
    if (!Number.isSafeInteger(base)) throw new PassError("The base of a table must be an integer.");
    if (entries.length === 0) throw new PassError(`The table ${name} needs an entry: redirect what jumps through it, then remove it.`);
    if (entries.length > Math.max(MOST_ENTRIES, now.entries.length))
      throw new PassError(`A table may have at most ${MOST_ENTRIES} entries.`);
    for (const id of otherwise === null ? entries : [...entries, otherwise]) this.at(id);
    this.withPhi(phi, (value, wired) => {
      const numbers = entries.map((id) => this.numbers.blockNumber(id));
      const last = otherwise === null ? null : this.numbers.blockNumber(otherwise);
      this.note(["table", this.line, name, base, numbers, last, wired], entries.length * 4);
      this.change(
        () => `the table ${name} is changed`,
        { blocks: [...new Set(entries)].slice(0, MOST_FOCUSED) },
        () => this.edit.setTable({ ...now, base, entries, default: otherwise }, value ?? undefined),
      );
    });
  }

  removeTable(name: string): void {
    this.tableOf(name);
    const user = this.func.layout.find((id) => getBlock(this.func, id).insts.some((inst) => tableName(inst) === name));
    if (user !== undefined) throw new PassError(`The table ${name} cannot be removed: ${this.label(user)} jumps through it.`);
    this.note(["remove-table", this.line, name], 0);
    this.change(
      () => `the table ${name} is removed`,
      {},
      () => this.edit.removeTable(name),
    );
  }

  // --- inside --------------------------------------------------------------------------------------------------------------------

  private change<T>(sentence: () => string, focus: ActionFocus, apply: () => T): T {
    if (this.rewriting) return apply();
    const said = sentence();
    let result: T | undefined;
    const edits = (): void => {
      result = apply();
    };
    if (!this.perform({ said, focus, edits })) throw new PassEnds(`refused: ${said}`);
    return result as T;
  }

  private put(block: BlockId, at: number, inst: Inst, phi: PhiValue | null): Inst {
    this.meter.grow();
    this.edit.insert(block, at, inst, phi ?? undefined);
    this.homes.set([inst], block);
    return inst;
  }

  /** Checks that PHIs stay at the head of the block, with nothing between them. */
  private placed(inst: Inst, insts: readonly Inst[], at: number): void {
    const isPhi = inst.op === "PHI";
    if (isPhi && insts[at - 1] !== undefined && insts[at - 1]?.op !== "PHI") throw new PassError("A PHI must be at the head of its block.");
    if (!isPhi && insts[at]?.op === "PHI") throw new PassError("Nothing may come before a PHI.");
    if (!isTerminator(inst) && insts[at - 1] !== undefined && isTerminator(insts[at - 1] as Inst))
      throw new PassError("Nothing may come after a branch.");
  }

  /** A new instruction, not in any block yet; its registers are the function's. */
  private read(text: string): Inst {
    const parsed = readLine(text, this.func, this.module);
    return this.edit.make(parsed.op, parsed.ops, { mods: parsed.mods, guard: parsed.guard });
  }

  /** Records the answers of `ask` in their order. */
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
}

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Whether an instruction of the block names `to`; falling through into `to` does not count. */
function namesBlock(block: Block, to: BlockId): boolean {
  return block.insts.some((inst) => inst.ops.some((operand) => operand.kind === "label" && operand.block === to));
}
