/** Puts the bodies of functions that do not call themselves where they are called. */

import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import { type BrilInst, type BrilItem, type BrilName, type BrilType, brilInst, madeName } from "./ast.ts";
import type { CheckedFunction, CheckedProgram } from "./check.ts";
import type { BrilCode } from "./codes.ts";

export interface Inlined extends CheckedProgram {
  /** Functions that may call themselves, over others or not. */
  readonly recursive: ReadonlySet<string>;
}

/** Items a function may grow to: calls of calls double at each level. */
const MOST_ITEMS = 4000;

/** Callees first, so that what is put in is complete. Linear in what comes out. */
export function inlineCalls(program: CheckedProgram, sink: DiagnosticSink<BrilCode>): Inlined {
  const byName = new Map(program.functions.map((fn) => [fn.name.text, fn]));
  const { order, recursive } = callOrder(byName);
  const done = new Map<string, CheckedFunction>();
  for (const fn of order) done.set(fn.name.text, new Expansion(fn, done, recursive, sink).run());
  return { functions: program.functions.map((fn) => done.get(fn.name.text) ?? fn), recursive };
}

class Expansion {
  private readonly fn: CheckedFunction;
  private readonly done: ReadonlyMap<string, CheckedFunction>;
  private readonly recursive: ReadonlySet<string>;
  private readonly sink: DiagnosticSink<BrilCode>;
  private readonly items: BrilItem[] = [];
  private readonly types: Map<string, BrilType>;
  private readonly shadows: Map<string, BrilType>;
  private readonly taken: Set<string>;
  /** Labels that a phi may name, and the label its block ends under now. */
  private readonly tails = new Map<string, string>();
  private made = 0;

  constructor(
    fn: CheckedFunction,
    done: ReadonlyMap<string, CheckedFunction>,
    recursive: ReadonlySet<string>,
    sink: DiagnosticSink<BrilCode>,
  ) {
    this.fn = fn;
    this.done = done;
    this.recursive = recursive;
    this.sink = sink;
    this.types = new Map(fn.types);
    this.shadows = new Map(fn.shadows);
    this.taken = new Set([...fn.types.keys(), ...fn.shadows.keys()]);
    for (const item of fn.items) if (item.kind === "label") this.taken.add(item.name.text);
  }

  run(): CheckedFunction {
    const { fn } = this;
    let label: string | null = null;
    let left = Math.max(0, MOST_ITEMS - fn.items.length);
    for (const item of fn.items) {
      if (item.kind === "label") label = item.name.text;
      const callee = item.kind === "inst" && item.op === "call" ? this.done.get(item.funcs[0]?.text ?? "") : undefined;
      if (item.kind === "label" || callee === undefined || this.recursive.has(callee.name.text)) {
        this.items.push(item);
        continue;
      }
      const size = callee.items.length + callee.params.length + 1;
      if (size > left) {
        this.sink.report("BRIL021", item.at, `the call of @${callee.name.text} is not inlined: @${fn.name.text} would become too large`);
        this.items.push(item);
        continue;
      }
      left -= size;
      const tail = this.putIn(callee, item);
      if (label !== null && tail !== null) this.tails.set(label, tail);
    }
    if (this.made === 0) return fn;
    return {
      ...fn,
      items: this.tails.size === 0 ? this.items : this.items.map((item) => this.withTails(item)),
      types: this.types,
      shadows: this.shadows,
    };
  }

  /** Appends a callee's body; Returns the label where control continues, null when it is the previous one. */
  private putIn(callee: CheckedFunction, call: BrilInst): string | null {
    const prefix = this.prefix(callee);
    const local = (name: BrilName): BrilName => ({ text: prefix + name.text, at: name.at });
    for (const [name, type] of callee.types) this.types.set(prefix + name, type);
    for (const [name, type] of callee.shadows) this.shadows.set(prefix + name, type);
    for (const [i, param] of callee.params.entries()) {
      const arg = call.args[i];
      if (arg !== undefined) this.items.push(brilInst("id", { dest: local(param.name), type: param.type, args: [arg], at: call.at }));
    }
    let tail: string | null = null;
    let leaves = false;
    const end = madeName(`${prefix}end`, call.at);
    for (const [i, item] of callee.items.entries()) {
      if (item.kind === "label") {
        tail = prefix + item.name.text;
        this.items.push({ kind: "label", name: local(item.name) });
      } else if (item.op === "ret") {
        const [value] = item.args;
        if (value !== undefined && call.dest !== null)
          this.items.push(brilInst("id", { dest: call.dest, type: call.type, args: [local(value)], at: item.at }));
        if (i === callee.items.length - 1) continue;
        this.items.push(brilInst("jmp", { labels: [end], at: item.at }));
        leaves = true;
      } else {
        this.items.push({
          ...item,
          dest: item.dest === null ? null : local(item.dest),
          args: item.args.map((a) => local(a)),
          labels: item.labels.map(local),
        });
      }
    }
    if (!leaves) return tail;
    this.items.push({ kind: "label", name: end });
    return end.text;
  }

  /** `gcd.1.`: what names of the body begin with here, so that none is in use already. */
  private prefix(callee: CheckedFunction): string {
    const names = [...callee.types.keys(), ...callee.shadows.keys(), "end"];
    for (const item of callee.items) if (item.kind === "label") names.push(item.name.text);
    for (;;) {
      const prefix = `${callee.name.text}.${++this.made}.`;
      if (names.some((name) => this.taken.has(prefix + name))) continue;
      for (const name of names) this.taken.add(prefix + name);
      return prefix;
    }
  }

  private withTails(item: BrilItem): BrilItem {
    if (item.kind === "label" || item.op !== "phi") return item;
    return { ...item, labels: item.labels.map((l) => ({ text: this.tails.get(l.text) ?? l.text, at: l.at })) };
  }
}

/** Functions after all they call, and those on a cycle of calls (Tarjan's components, without a call stack of our own). */
function callOrder(byName: ReadonlyMap<string, CheckedFunction>): { order: readonly CheckedFunction[]; recursive: ReadonlySet<string> } {
  const order: CheckedFunction[] = [];
  const recursive = new Set<string>();
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const callees = new Map<string, readonly string[]>();
  for (const [name, fn] of byName) {
    const called = fn.items.flatMap((i) => (i.kind === "inst" && i.op === "call" ? i.funcs.map((f) => f.text) : []));
    callees.set(
      name,
      [...new Set(called)].filter((c) => byName.has(c)),
    );
  }
  for (const root of byName.keys()) {
    if (index.has(root)) continue;
    const path: { readonly name: string; next: number }[] = [];
    const enter = (name: string): void => {
      index.set(name, index.size);
      low.set(name, index.size - 1);
      open.push(name);
      isOpen.add(name);
      path.push({ name, next: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { name } = top;
      const callee = callees.get(name)?.[top.next++];
      if (callee !== undefined) {
        if (callee === name) recursive.add(name);
        if (!index.has(callee)) enter(callee);
        else if (isOpen.has(callee)) low.set(name, Math.min(low.get(name) ?? 0, index.get(callee) ?? 0));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low.set(parent.name, Math.min(low.get(parent.name) ?? 0, low.get(name) ?? 0));
      if (low.get(name) !== index.get(name)) continue;
      const members: string[] = [];
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        isOpen.delete(member);
        members.push(member);
        if (member === name) break;
      }
      for (const member of members) {
        if (members.length > 1) recursive.add(member);
        const fn = byName.get(member);
        if (fn !== undefined) order.push(fn);
      }
    }
  }
  return { order, recursive };
}
