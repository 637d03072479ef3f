/** Value numbering with each mode side by side: what a mode replaces, and what it misses that another one replaces. */

import { knobValue } from "../../config/knob-store.ts";
import type { Policy } from "../../config/policy.ts";
import type { InstId } from "../../ir/ids.ts";
import type { Func, Inst, Module } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Plan } from "../../pipeline/plan.ts";
import { passFor } from "../../pipeline/run.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { printInst } from "../../text/printer.ts";
import { formatSentence } from "../../trace/event.ts";
import { NO_RECORDER, type Recorder } from "../../trace/recorder.ts";

export interface GvnReplaced {
  readonly inst: number;
  readonly block: number;
  readonly label: string;
  readonly before: string;
  /** null: it was removed because its register already had the value. */
  readonly after: string | null;
}

export interface GvnMissed {
  readonly inst: number;
  readonly block: number;
  readonly label: string;
  readonly text: string;
  /** Condition that refused it (`T4`, `overwritten`, …) and the sentence; empty if nothing was reported about it. */
  readonly condition: string;
  readonly why: string;
}

export interface GvnModeReport {
  /** Knob 402 and policy. */
  readonly asked: number;
  readonly policy: "notes" | "measured";
  /** As the run itself was set. */
  readonly current: boolean;
  /** After the remapping rules; 0: nothing is done. */
  readonly mode: number;
  readonly movs: number;
  readonly removed: number;
  readonly joins: number;
  readonly replaced: readonly GvnReplaced[];
  /** Replaced with another row's settings, but not here. */
  readonly missed: readonly GvnMissed[];
  readonly problem: string | null;
}

/** The settings compared: modes 1, 2, 4 and 5 by the reference, and the run's own where they are none of these. */
const MODES = [1, 2, 4, 5] as const;

/** Each mode on the same input, regardless of the phase's gates. */
export function gvnModes(fn: Func, module: Module, plan: Plan, level: number): readonly GvnModeReport[] {
  const pass = passFor("gvn-cse");
  if (pass === undefined) return [];
  const own = { asked: Number(knobValue(plan.knobs, "gvn-mode") ?? 0), policy: plan.policy };
  const wanted: { asked: number; policy: Policy }[] = MODES.map((asked) => ({ asked, policy: "notes" }));
  if (!wanted.some((w) => w.asked === own.asked && w.policy === own.policy)) wanted.push(own);
  const runs = wanted.map(({ asked, policy }) => {
    const listener = new RefusalListener();
    const knobs = { ...plan.knobs, "gvn-mode": asked };
    const env = { module, target: plan.target, level, policy, knobs, rec: listener.recorder, noPhase: plan.noPhase };
    const result = runPassOnce(pass, "gvn-cse", fn, env);
    return { asked, policy, result, refusals: listener.refusals, replaced: result.error === null ? replacedIn(fn, result.fn) : [] };
  });
  const everywhere = new Set(runs.flatMap(({ replaced }) => replaced.map((r) => r.inst)));
  return runs.map(({ asked, policy, result, refusals, replaced }): GvnModeReport => {
    const here = new Set(replaced.map((r) => r.inst));
    const figures = result.outcome?.figures ?? {};
    return {
      asked,
      policy,
      current: asked === own.asked && policy === own.policy,
      mode: figures.mode ?? 0,
      movs: figures.movs ?? 0,
      removed: figures.removed ?? 0,
      joins: figures.joins ?? 0,
      replaced,
      missed: missedIn(fn, (id) => everywhere.has(id) && !here.has(id), refusals),
      problem: result.error ?? (result.outcome !== null && replaced.length === 0 ? result.outcome.why : null),
    };
  });
}

/** Instructions of `before` that are different in `after`, or removed. */
function replacedIn(before: Func, after: Func): GvnReplaced[] {
  const now = new Map<InstId, Inst>();
  for (const id of after.layout) for (const inst of getBlock(after, id).insts) now.set(inst.id, inst);
  const found: GvnReplaced[] = [];
  for (const id of before.layout) {
    const { label, insts } = getBlock(before, id);
    for (const inst of insts) {
      const then = now.get(inst.id);
      if (then === inst) continue;
      const text = printInst(before, inst);
      const made = then === undefined ? null : printInst(after, then);
      if (made !== text) found.push({ inst: inst.id, block: id, label, before: text, after: made });
    }
  }
  return found;
}

function missedIn(fn: Func, missed: (id: InstId) => boolean, refusals: ReadonlyMap<InstId, Refusal>): GvnMissed[] {
  const found: GvnMissed[] = [];
  for (const id of fn.layout) {
    const { label, insts } = getBlock(fn, id);
    for (const inst of insts) {
      if (!missed(inst.id)) continue;
      const { condition, why } = refusals.get(inst.id) ?? { condition: "", why: "" };
      found.push({ inst: inst.id, block: id, label, text: printInst(fn, inst), condition, why });
    }
  }
  return found;
}

interface Refusal {
  readonly condition: string;
  readonly why: string;
}

/** Hears only verdicts: the last refusal of each instruction. */
class RefusalListener {
  readonly refusals = new Map<InstId, Refusal>();
  readonly recorder: Recorder = {
    ...NO_RECORDER,
    on: true,
    event: (kind, _line, template, facts, focus) => {
      const inst = focus?.insts?.[0];
      if (kind !== "match" || facts?.verdict !== "no" || inst === undefined) return;
      const why = typeof facts.why === "string" ? facts.why : formatSentence(template, facts);
      this.refusals.set(inst, { condition: String(facts.condition ?? ""), why });
    },
  };
}
