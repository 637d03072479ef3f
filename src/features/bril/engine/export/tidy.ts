/** Takes out copies that the writer made: a value that one instruction gives and the next but few takes needs no name between them. */

import type { BrilInst, BrilItem, BrilName } from "../ast.ts";
import { endsBrilBlock } from "../ast.ts";

interface Count {
  defs: number;
  uses: number;
}

/** `temps` are the names that may be removed. Each run between labels and jumps is examined once: linear except for the length of live copies. */
export function tidy(items: readonly BrilItem[], temps: ReadonlySet<string>): readonly BrilItem[] {
  const counts = new Map<string, Count>();
  const count = (name: string): Count => {
    const found = counts.get(name) ?? { defs: 0, uses: 0 };
    counts.set(name, found);
    return found;
  };
  for (const item of items) {
    if (item.kind === "label") continue;
    if (item.dest !== null) count(item.dest.text).defs++;
    for (const a of item.args) count(a.text).uses++;
  }
  const single = (name: string): boolean => {
    const found = counts.get(name);
    return temps.has(name) && found?.defs === 1 && found.uses === 1;
  };
  const result: BrilItem[] = [];
  let run: BrilInst[] = [];
  const flush = (): void => {
    result.push(...backwards(forwards(run, single), single));
    run = [];
  };
  for (const item of items) {
    if (item.kind === "label") {
      flush();
      result.push(item);
      continue;
    }
    run.push(item);
    if (endsBrilBlock(item)) flush();
  }
  flush();
  return result;
}

const isSet = (inst: BrilInst): boolean => inst.op === "set" || inst.op === "upsilon";

/** `t = id s; … f t` becomes `… f s` where nothing writes `s` in between. */
function forwards(run: readonly BrilInst[], single: (name: string) => boolean): readonly BrilInst[] {
  const copies = new Map<string, BrilName>();
  /** Copies by their value. */
  const holders = new Map<string, string[]>();
  const kept: (BrilInst | null)[] = [];
  const places = new Map<string, number>();
  for (const inst of run) {
    const [source] = inst.args;
    const args = inst.args.map((a, i) => {
      const held = isSet(inst) && i === 0 ? undefined : copies.get(a.text);
      if (held === undefined) return a;
      kept[places.get(a.text) ?? -1] = null;
      copies.delete(a.text);
      return held;
    });
    const now = args.some((a, i) => a !== inst.args[i]) ? { ...inst, args } : inst;
    if (inst.dest !== null) {
      for (const holder of holders.get(inst.dest.text) ?? []) copies.delete(holder);
      holders.delete(inst.dest.text);
    }
    if (inst.op === "id" && inst.dest !== null && source !== undefined && single(inst.dest.text)) {
      const [held] = now.args;
      if (held !== undefined) {
        copies.set(inst.dest.text, held);
        places.set(inst.dest.text, kept.length);
        holders.set(held.text, [...(holders.get(held.text) ?? []), inst.dest.text]);
      }
    }
    kept.push(now);
  }
  return kept.filter((inst) => inst !== null);
}

/** `t = f …; x = id t` right after it becomes `x = f …`. */
function backwards(run: readonly BrilInst[], single: (name: string) => boolean): readonly BrilInst[] {
  const result: BrilInst[] = [];
  for (const inst of run) {
    const before = result.at(-1);
    const [source] = inst.args;
    if (inst.op === "id" && before?.dest && before.dest.text === source?.text && single(source.text)) {
      result.pop();
      result.push({ ...before, dest: inst.dest });
    } else result.push(inst);
  }
  return result;
}
