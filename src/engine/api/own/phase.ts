/**
 * A phase whose code runs elsewhere, a user's pass: the request to its code, and the phase that does again what the code did. What replays
 * it comes with the answer: the engine does not know the API of such code.
 */

import { OWN_FAMILY, ownId } from "../../config/own-id.ts";
import type { Pass } from "../../passes/pass.ts";
import type { PositionRun } from "../../pipeline/run.ts";
import type { OwnAsk, OwnPhase, OwnSaid } from "../types.ts";
import { PassError } from "./pass-error.ts";
import type { GuestProgram } from "./program.ts";
import { ownRules } from "./rules.ts";

/** What the code's behaviour depends on, in addition to the code. */
export type OwnQuestion = Omit<OwnAsk, "id">;

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

  /** `replay` makes the phase that does again what the code did. False: no request is waiting for this answer. */
  answer(id: number, said: OwnSaid, replay: (own: OwnPhase) => Pass): boolean {
    const asked = this.waiting.get(id);
    if (asked === undefined) return false;
    this.waiting.delete(id);
    this.passes.set(asked.key, { pass: replay(asked.own), said });
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
