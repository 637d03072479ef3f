/** A PTX text of many functions: one is read first, the others after it. The final result equals that of reading the whole text in one go. */

import type { ReadFunction } from "../../import/ptx/reading.ts";
import { calledBy } from "../../ir/callees.ts";
import type { Diagnostic } from "../../ir/diagnostic.ts";
import type { Func, Module } from "../../ir/types.ts";
import { verifyFunc } from "../../verify/verify.ts";
import type { FirstResult, KernelInfo } from "../types.ts";
import { kernelInfo } from "../view/func-view.ts";
import { type BegunPtx, hasError, type ReadResult } from "./read-with.ts";

/** A function that was read, with the verifier's messages about it. */
interface Judged {
  readonly func: Func;
  readonly info: KernelInfo;
  readonly said: readonly Diagnostic[];
  /** Without what it calls. */
  readonly right: boolean;
  /** Functions of this text. */
  readonly calls: readonly string[];
}

export class StagedText {
  readonly revision: number;
  /** It takes long enough to be read in parts. */
  readonly long: boolean;
  private readonly begun: BegunPtx;
  /** By name, in the order of the text. */
  private readonly index: ReadonlyMap<string, number>;
  private readonly judged = new Map<Func, Judged>();
  private result: ReadResult | null = null;
  private shown: string | null = null;

  constructor(revision: number, begun: BegunPtx, long: boolean) {
    this.revision = revision;
    this.long = long;
    this.begun = begun;
    this.index = new Map(begun.reading.heads().map(({ name }, i) => [name, i]));
  }

  get target(): string | null {
    return this.begun.reading.module([]).target;
  }

  /** Reads a kernel to show and returns whether it can be run; null, or an unknown name: the first one that can. */
  show(wanted: string | null): string | null {
    const names = wanted !== null && this.index.has(wanted) ? [wanted] : [...this.index.keys()];
    this.shown = names.find((name) => this.need(name)) ?? null;
    if (this.index.size === 0) this.whole();
    return this.shown;
  }

  /** Reads a function and what it calls; true if there are no errors. */
  need(name: string): boolean {
    const needed = new Set([name]);
    // A set's iteration also visits what is added meanwhile.
    for (const one of needed) for (const callee of this.take(one)?.calls ?? []) needed.add(callee);
    return [...needed].every((one) => this.take(one)?.right === true);
  }

  /** Reads on in the order of the text until it is `enough`, one function at least. */
  more(enough: () => boolean): void {
    const { reading } = this.begun;
    for (let read = reading.step(); read !== null; read = reading.step()) {
      const isNew = !this.judged.has(read.func);
      this.judgeRead(read);
      // What was read before its turn takes no time now.
      if (isNew && enough() && reading.functions().includes(null)) return;
    }
    this.whole();
  }

  /** Reads the rest; the result equals that of reading the text in one go. */
  whole(): ReadResult {
    this.result ??= this.begun.finish((fn, module) => [...this.judge(fn, module).said]);
    return this.result;
  }

  /** What can be run: functions read so far that are right, with what they call. */
  usable(): ReadResult {
    if (this.result?.ok === true) return this.result;
    const read = this.all();
    const usable = new Set([...read].filter(([, { right }]) => right).map(([name]) => name));
    spread(read, (name, { calls }) => calls.some((callee) => !usable.has(callee)) && usable.delete(name));
    const funcs = [...read].filter(([name]) => usable.has(name)).map(([, { func }]) => func);
    return { format: "ptx", module: this.begun.reading.module(funcs), diagnostics: [], ok: true, oriNames: this.oriNames, program: null };
  }

  /** Of the functions that were read. */
  readonly oriNames: ReadResult["oriNames"] = (func, register) => this.whole().oriNames(func, register);

  answer(): FirstResult {
    const read = this.all();
    const { reading } = this.begun;
    const wrong = new Set([...read].filter(([, { right }]) => !right).map(([name]) => name));
    spread(read, (name, { calls }) => !wrong.has(name) && calls.some((callee) => wrong.has(callee)) && wrong.add(name) !== undefined);
    const kernels = reading.heads().map(({ name, kind, line }): KernelInfo => {
      const judged = read.get(name);
      if (judged === undefined) return { name, kind, line, blocks: 0, instructions: 0, opaque: 0, params: [], state: "unread" };
      return wrong.has(name) ? { ...judged.info, state: "wrong" } : judged.info;
    });
    const diagnostics = this.result?.diagnostics ?? this.saidSoFar(read);
    const { format = "ptx", wayIn } = this.result ?? {};
    const ok = this.result?.ok ?? !hasError(diagnostics);
    const left = this.result === null ? kernels.filter(({ state }) => state === "unread").length : 0;
    return { revision: this.revision, format, ok, kernels, diagnostics, ori: "", shown: this.shown, left, ...(wayIn ? { wayIn } : {}) };
  }

  private saidSoFar(read: ReadonlyMap<string, Judged>): readonly Diagnostic[] {
    const imported = this.begun.reading.diagnostics();
    return hasError(imported) ? imported : [...imported, ...[...read.values()].flatMap(({ said }) => said)];
  }

  /** Everything that was read, by name, in the order of the text. */
  private all(): ReadonlyMap<string, Judged> {
    const { reading } = this.begun;
    const found = new Map<string, Judged>();
    for (const [name, i] of this.index) {
      const read = reading.functions()[i] ?? null;
      if (read !== null) found.set(name, this.judgeRead(read));
    }
    return found;
  }

  private take(name: string): Judged | null {
    const { reading } = this.begun;
    const index = this.index.get(name);
    if (index === undefined) return null;
    // Where functions depend on those before them there is no other order.
    if (reading.take(index) === null) this.whole();
    const read = reading.functions()[index] ?? null;
    return read === null ? null : this.judgeRead(read);
  }

  private judgeRead({ func, errors }: ReadFunction): Judged {
    const judged = this.judged.get(func) ?? this.judge(func, this.begun.reading.module([]));
    const right = judged.right && errors === 0 && this.begun.reading.errorsOutside === 0;
    return right === judged.right ? judged : { ...judged, right };
  }

  private inBankOf({ name }: Func): ReadFunction["inBank"] {
    return this.begun.reading.functions()[this.index.get(name) ?? -1]?.inBank ?? [];
  }

  /** The verifier reads only a module's symbols: those that a function names are there when it is read. */
  private judge(func: Func, module: Module | null = null): Judged {
    const known = this.judged.get(func);
    if (known !== undefined) return known;
    const said = verifyFunc(func, module);
    const calls = [...new Set(calledBy(func, this.begun.reading.module([]).symbols))].filter((name) => this.index.has(name));
    const judged = { func, info: kernelInfo(func, null, this.inBankOf(func)), said, right: !hasError(said), calls };
    this.judged.set(func, judged);
    return judged;
  }
}

/** Examines each function again as long as the answer changed for one of them. */
function spread(functions: ReadonlyMap<string, Judged>, changed: (name: string, fn: Judged) => boolean): void {
  for (let again = true; again; ) {
    again = false;
    for (const [name, fn] of functions) if (changed(name, fn)) again = true;
  }
}
