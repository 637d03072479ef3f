/** A register through the phases: its definitions, copies and uses before and after each, and what replaced it. */

import type { InstId, Reg } from "../../ir/ids.ts";
import { parseReg, regName } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, getBlock, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";

export interface RegisterSite {
  readonly inst: number;
  readonly block: number;
  readonly text: string;
}

/** At most `MOST_SITES` of each are listed. */
export interface RegisterUse {
  readonly defs: number;
  readonly copies: number;
  /** Instructions that read it, copies included. */
  readonly uses: number;
  readonly definedBy: readonly RegisterSite[];
  readonly copiedBy: readonly RegisterSite[];
}

export interface RegisterStage {
  readonly run: number;
  readonly phase: string;
  readonly before: RegisterUse;
  readonly after: RegisterUse;
  /** Instructions that read it before and read something else there now; `by` null: no register. */
  readonly replaced: readonly { readonly inst: number; readonly before: string; readonly after: string; readonly by: string | null }[];
  /** Instructions that defined or read it and are gone. */
  readonly gone: readonly RegisterSite[];
}

export interface RegisterLife {
  /** As the pipeline was given it; null: no register has this name. */
  readonly input: RegisterUse | null;
  /** The phases that changed anything about it, in order. */
  readonly stages: readonly RegisterStage[];
}

const MOST_SITES = 50;

/** `runs` are the phases that changed the program. Linear in each function. */
export function registerLife(
  name: string,
  input: Func,
  runs: readonly { readonly run: number; readonly phase: string; readonly before: Func; readonly after: Func }[],
): RegisterLife {
  const reg = parseReg(name);
  if (reg === null) return { input: null, stages: [] };
  const stages = runs.flatMap(({ run, phase, before, after }): RegisterStage[] => {
    const was = touching(before, reg);
    const now = touching(after, reg);
    if (was.size === now.size && [...was].every(([id, site]) => now.get(id)?.text === site.text)) return [];
    const later = new Map<InstId, Inst>();
    for (const block of after.layout) for (const inst of getBlock(after, block).insts) if (was.has(inst.id)) later.set(inst.id, inst);
    const replaced: RegisterStage["replaced"][number][] = [];
    const gone: RegisterSite[] = [];
    for (const [id, { inst, text, block }] of was) {
      const then = later.get(id);
      if (then === undefined) gone.push({ inst: id, block, text });
      else if (usesOf(inst).includes(reg) && !usesOf(then).includes(reg))
        replaced.push({ inst: id, before: text, after: printInst(after, then), by: takenBy(inst, then, reg) });
    }
    return [
      {
        run,
        phase,
        before: summary(was, reg),
        after: summary(now, reg),
        replaced: replaced.slice(0, MOST_SITES),
        gone: gone.slice(0, MOST_SITES),
      },
    ];
  });
  return { input: summary(touching(input, reg), reg), stages };
}

interface Touch {
  readonly inst: Inst;
  readonly block: number;
  readonly text: string;
}

function touching(fn: Func, reg: Reg): Map<InstId, Touch> {
  const found = new Map<InstId, Touch>();
  for (const block of fn.layout) {
    for (const inst of getBlock(fn, block).insts) {
      if (defsOf(inst).includes(reg) || usesOf(inst).includes(reg)) found.set(inst.id, { inst, block, text: printInst(fn, inst) });
    }
  }
  return found;
}

function summary(touches: ReadonlyMap<InstId, Touch>, reg: Reg): RegisterUse {
  const all = [...touches.values()];
  const defs = all.filter(({ inst }) => defsOf(inst).includes(reg));
  const uses = all.filter(({ inst }) => usesOf(inst).includes(reg));
  const copies = uses.filter(({ inst }) => inst.op === "MOV" || inst.op === "PMOV");
  const sites = (list: readonly Touch[]): RegisterSite[] =>
    list.slice(0, MOST_SITES).map(({ inst, block, text }) => ({ inst: inst.id, block, text }));
  return { defs: defs.length, copies: copies.length, uses: uses.length, definedBy: sites(defs), copiedBy: sites(copies) };
}

/** The register that the instruction reads now and did not read before, if it is one. */
function takenBy(before: Inst, after: Inst, reg: Reg): string | null {
  const old = new Set(usesOf(before));
  const fresh = [...new Set(usesOf(after))].filter((r) => !old.has(r));
  if (fresh.length === 1 && fresh[0] !== undefined) return regName(fresh[0]);
  // It may read a register that it read elsewhere before: the operand in the same slot decides.
  for (const [i, operand] of before.ops.entries()) {
    const now = after.ops[i];
    if (operand.kind === "reg" && operand.reg === reg && now?.kind === "reg" && before.ops.length === after.ops.length)
      return regName(now.reg);
  }
  return null;
}
