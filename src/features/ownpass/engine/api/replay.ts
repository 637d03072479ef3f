/** Replays what a user's pass did elsewhere. Nothing in a script is trusted: every entry is checked as if it were typed. */

import { PassEnds, PassError } from "../../../../engine/api/own/pass-error.ts";
import { ownRules } from "../../../../engine/api/own/rules.ts";
import { OWN_FAMILY, ownId } from "../../../../engine/config/own-id.ts";
import type { BlockId, InstId } from "../../../../engine/ir/ids.ts";
import type { Pass, PassContext, PassOutcome } from "../../../../engine/passes/pass.ts";
import type { Actions, PhiSource } from "./actions.ts";
import { actionsOf, type HostOptions, ownOutcome, untilItEnds } from "./host.ts";
import type { ActionFocus } from "./saying.ts";
import { Numbering, type ScriptValue, STRUCTURE_KINDS } from "./script.ts";

/** What a user's pass did, unchecked. */
export interface ReplayOptions {
  readonly name: string;
  readonly summary: string;
  readonly source: readonly string[];
  /** Any value: it is not trusted. */
  readonly script: unknown;
  /** What the pass threw at the end of its script. */
  readonly thrown: string | null;
}

/** Runs on the program that the script was made on, under the same interventions or with less fuel; on a different one it fails with a sentence. */
export function replayPass({ name, summary, source, script, thrown }: ReplayOptions): Pass {
  const table = ownRules(source);
  return {
    family: OWN_FAMILY,
    ids: [ownId(name)],
    summary,
    rules: table,
    pseudocode: source,
    run: (ctx) => new Replay(ctx, table, source, script).run(thrown),
  };
}

class Replay {
  private readonly ctx: PassContext;
  private readonly actions: Actions;
  private readonly numbers: Numbering;
  private readonly source: readonly string[];
  private readonly entries: readonly unknown[];
  private at = 0;
  private structures = 0;
  /** The fuel was spent before the script's end. */
  private spent = false;

  constructor(ctx: PassContext, table: ReturnType<typeof ownRules>, source: readonly string[], script: unknown) {
    this.ctx = ctx;
    this.actions = actionsOf(ctx, table, {} satisfies HostOptions);
    this.numbers = new Numbering(ctx.edit.func);
    this.source = source;
    this.entries = Array.isArray(script) ? script : [null];
  }

  run(thrown: string | null): PassOutcome {
    untilItEnds(() => {
      while (this.at < this.entries.length) if (this.next() === "end") this.bad("an end without a beginning");
    });
    if (thrown !== null && !this.spent) throw new PassError(thrown);
    return ownOutcome(this.ctx, this.actions);
  }

  /** Replays the entries up to the matching end, which is missing if the pass threw. */
  private inside(): void {
    while (this.at < this.entries.length) if (this.next() === "end") return;
  }

  private next(): "end" | "done" {
    const entry = new Reader(this.entries[this.at], this.at);
    this.at++;
    const kind = entry.text(0);
    const { actions } = this;
    if (kind === "end") return "end";
    if (kind !== "lines" && kind !== "fresh" && kind !== "structure" && kind !== "why") actions.line = entry.int(1);
    switch (kind) {
      case "lines":
        actions.lines(entry.ints(1), this.source);
        break;
      case "step":
        actions.step(entry.text(2), this.focus(entry, 3));
        break;
      case "because":
        actions.because(entry.text(2), this.focus(entry, 3));
        break;
      case "refuse":
        actions.refuse(entry.text(2), entry.text(3), this.focus(entry, 4));
        break;
      case "span":
        actions.span(entry.text(2), this.focus(entry, 3), () => this.inside());
        break;
      case "permit":
        this.agree(actions.permit(entry.text(2), this.focus(entry, 3)), entry.flag(4));
        break;
      case "rewrite":
        this.agree(
          actions.rewrite(entry.text(2), this.focus(entry, 3), () => this.inside()),
          entry.flag(4),
        );
        break;
      case "why":
        actions.why(entry.text(1));
        break;
      case "fresh":
        actions.freshReg(entry.text(1));
        break;
      case "structure": {
        const given = entry.text(1);
        const found = STRUCTURE_KINDS.find((k) => k === given);
        if (found === undefined) return this.bad("no such structure");
        actions.structure(found, entry.text(2));
        this.structures++;
        break;
      }
      case "write":
        actions.write(this.structure(entry), entry.text(3), entry.value(4));
        break;
      case "erase":
        actions.erase(this.structure(entry), entry.text(3));
        break;
      default:
        this.edit(kind, entry);
    }
    return "done";
  }

  private edit(kind: string, entry: Reader): void {
    const { actions } = this;
    const block = (at: number): BlockId => this.numbers.blockId(entry.int(at));
    const inst = (at: number): InstId => this.numbers.instId(entry.int(at));
    switch (kind) {
      case "insert":
        actions.insert(block(2), entry.int(3), entry.text(4));
        return;
      case "append":
        actions.append(block(2), entry.text(3), this.phi(entry, 4));
        return;
      case "remove":
        actions.remove(inst(2), this.phi(entry, 3));
        return;
      case "replace":
        actions.replace(inst(2), entry.text(3), this.phi(entry, 4));
        return;
      case "move":
        actions.move(inst(2), block(3), entry.int(4));
        return;
      case "terminators":
        actions.setTerminators(block(2), entry.texts(3), this.phi(entry, 4));
        return;
      case "redirect":
        actions.redirect(block(2), block(3), block(4), this.phi(entry, 5));
        return;
      case "add-block":
        actions.addBlock(entry.text(2), block(3), entry.texts(4), this.phi(entry, 5));
        return;
      case "make-jump":
        actions.makeJump(block(2));
        return;
      case "split":
        actions.split(inst(2), entry.text(3));
        return;
      case "remove-block":
        actions.removeBlock(block(2), this.phi(entry, 3));
        return;
      case "table":
        this.setTable(entry);
        return;
      case "remove-table":
        actions.removeTable(entry.text(2));
        return;
      default:
        this.bad("no such entry");
    }
  }

  private setTable(entry: Reader): void {
    const base = Number(entry.value(3));
    const entries = entry.ints(4).map((n) => this.numbers.blockId(n));
    const otherwise = entry.value(5) === null ? null : this.numbers.blockId(entry.int(5));
    this.actions.setTable(entry.text(2), { base, entries, default: otherwise }, this.phi(entry, 6));
  }

  private agree(here: boolean, there: boolean): void {
    if (here === there) return;
    if (there && this.ctx.remark.report().unfuelled > 0) {
      // With less fuel than the code ran with, nothing that follows can change the program.
      this.spent = true;
      throw new PassEnds();
    }
    this.bad("a rewrite was not requested in the way it is here");
  }

  private structure(entry: Reader): number {
    const at = entry.int(2);
    if (at >= this.structures) this.bad("no such structure");
    return at;
  }

  private focus(entry: Reader, at: number): ActionFocus {
    const { blocks, insts, regs, edges } = entry.record(at);
    const part = (value: unknown): Reader => new Reader([value], this.at);
    return {
      ...(blocks === undefined
        ? {}
        : {
            blocks: part(blocks)
              .ints(0)
              .map((n) => this.numbers.blockId(n)),
          }),
      ...(insts === undefined
        ? {}
        : {
            insts: part(insts)
              .ints(0)
              .map((n) => this.numbers.instId(n)),
          }),
      ...(regs === undefined ? {} : { regs: part(regs).texts(0) }),
      ...(edges === undefined
        ? {}
        : {
            edges: part(edges)
              .list(0)
              .map((pair) => {
                const ends = new Reader(pair, this.at);
                return [this.numbers.blockId(ends.int(0)), this.numbers.blockId(ends.int(1))] as const;
              }),
          }),
    };
  }

  private phi(entry: Reader, at: number): PhiSource {
    if (entry.value(at) === null) return null;
    const { like, values } = entry.record(at);
    if (like !== undefined) return { like: this.numbers.blockId(new Reader([like], this.at).int(0)) };
    const answers = [...new Reader([values], this.at).texts(0)];
    return { ask: () => answers.shift() ?? this.bad("a PHI input is missing") };
  }

  private bad(why: string): never {
    throw new PassError(`What the pass did cannot be done again: entry ${this.at}: ${why}.`);
  }
}

/** Reads an entry of unknown shape. */
class Reader {
  private readonly entry: readonly unknown[];
  private readonly number: number;

  constructor(entry: unknown, number: number) {
    this.number = number;
    this.entry = Array.isArray(entry) ? entry : this.bad("no list");
  }

  text(at: number): string {
    const value = this.entry[at];
    return typeof value === "string" ? value : this.bad(`no text at ${at}`);
  }

  int(at: number): number {
    const value = this.entry[at];
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : this.bad(`no number at ${at}`);
  }

  flag(at: number): boolean {
    const value = this.entry[at];
    return typeof value === "boolean" ? value : this.bad(`no yes or no at ${at}`);
  }

  list(at: number): readonly unknown[] {
    const value = this.entry[at];
    return Array.isArray(value) ? value : this.bad(`no list at ${at}`);
  }

  ints(at: number): readonly number[] {
    return this.list(at).map((value, i, all) =>
      Number.isSafeInteger(value) && (value as number) >= 0 ? (all[i] as number) : this.bad("no number"),
    );
  }

  texts(at: number): readonly string[] {
    return this.list(at).map((value) => (typeof value === "string" ? value : this.bad("no text")));
  }

  record(at: number): Readonly<Record<string, unknown>> {
    const value = this.entry[at];
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : this.bad(`no record at ${at}`);
  }

  /** Any plain data. */
  value(at: number, value: unknown = this.entry[at], depth = 0): ScriptValue {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : this.bad("no number");
    if (typeof value !== "object" || depth > 12) return this.bad(`no plain value at ${at}`);
    if (Array.isArray(value)) return value.map((part) => this.value(at, part, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.value(at, part, depth + 1)]));
  }

  private bad(why: string): never {
    throw new PassError(`What the pass did cannot be done again: entry ${this.number + 1}: ${why}.`);
  }
}
