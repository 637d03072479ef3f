/** A user's pass in the pipeline: the request to its code, and the phase that replays its answer. */

import { OWN_FAMILY, ownId } from "../../config/own-id.ts";
import { PassError } from "../../ownpass/pass-error.ts";
import { replayPass } from "../../ownpass/replay.ts";
import { ownRules } from "../../ownpass/rules.ts";
import type { Pass } from "../../passes/pass.ts";
import type { PositionRun } from "../../pipeline/run.ts";
import type { OwnAsk, OwnPhase, OwnSaid } from "../types.ts";
import type { GuestProgram } from "./guest.ts";

/** What the code's behaviour depends on, in addition to the code. */
export type OwnQuestion = Omit<OwnAsk, "id">;

/** What came back: anything at all. */
export interface OwnAnswer {
  readonly script: unknown;
  /** Its report; if the code threw, the script ends there. */
  readonly said: OwnSaid;
}

/** Answers that are kept, and pending questions. */
const MOST_KEPT = 24;

export class OwnScripts {
  private readonly passes = new Map<string, { readonly pass: Pass; readonly said: OwnSaid }>();
  private readonly waiting = new Map<number, { readonly key: string; readonly own: OwnPhase }>();
  private nextId = 1;

  /** The phase, where the answer is there. */
  known(own: OwnPhase, question: OwnQuestion): Pass | null {
    return this.passes.get(keyOf(own, question))?.pass ?? null;
  }

  /** The answer, if there is one; `afresh`: an earlier answer is dropped, so that the code runs again. */
  ask(own: OwnPhase, question: OwnQuestion, afresh: boolean): OwnAsk | OwnSaid {
    const known = this.passes.get(keyOf(own, question));
    if (known !== undefined && !afresh) return known.said;
    this.passes.delete(keyOf(own, question));
    const id = this.nextId++;
    this.waiting.set(id, { key: keyOf(own, question), own });
    forget(this.waiting);
    return { id, ...question };
  }

  /** False: no request is waiting for this answer. */
  answer(id: number, { script, said }: OwnAnswer): boolean {
    const asked = this.waiting.get(id);
    if (asked === undefined) return false;
    this.waiting.delete(id);
    const { name, summary, source } = asked.own;
    const thrown = said.problem?.message ?? null;
    this.passes.set(asked.key, { pass: replayPass({ name, summary, source: source.split("\n"), script, thrown }), said });
    forget(this.passes);
    return true;
  }
}

function forget(map: Map<unknown, unknown>): void {
  for (const old of map.keys()) {
    if (map.size <= MOST_KEPT) return;
    map.delete(old);
  }
}

const keyOf = ({ name, source, lines = [] }: OwnPhase, { program, skips, fuel }: OwnQuestion): string =>
  JSON.stringify([name, source, lines, program.text, program.nextReg, skips, fuel]);

/** Stands for a pass whose code has not run: the pipeline stops there. */
export function unasked({ name, summary, source }: OwnPhase): Pass {
  const lines = source.split("\n");
  return {
    family: OWN_FAMILY,
    ids: [ownId(name)],
    summary,
    rules: ownRules(lines),
    pseudocode: lines,
    run: () => {
      throw new PassError("its code has not run on this program");
    },
  };
}

/** The request to its code, if the pipeline stopped at it; null: it is not reached. */
export function questionAt(own: OwnPhase, runs: readonly PositionRun[], program: (run: PositionRun) => GuestProgram): OwnQuestion | null {
  const run = runs.find((one) => one.planned.id === ownId(own.name) && one.ran);
  if (run === undefined) return null;
  return { program: program(run), skips: [...(run.planned.told?.skips ?? [])].sort((a, b) => a - b), fuel: run.fuel };
}
