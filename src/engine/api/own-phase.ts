/** A pass of one's own in the pipeline: what its code has to be asked, and the phase that does again what it did. */

import { OWN_FAMILY, ownId } from "../config/own-id.ts";
import { PassError } from "../ownpass/pass-error.ts";
import { replayPass } from "../ownpass/replay.ts";
import { ownRules } from "../ownpass/rules.ts";
import type { Pass } from "../passes/pass.ts";
import type { PositionRun } from "../pipeline/run.ts";
import type { GuestProgram } from "./pass-guest.ts";
import type { OwnAsk, OwnPhase } from "./types.ts";

/** What decides what the code does, beside the code. */
export type OwnQuestion = Omit<OwnAsk, "id">;

/** What came back: anything at all. */
export interface LentScript {
  readonly script: unknown;
  /** The code threw this where its script ends. */
  readonly thrown: string | null;
}

/** Answers that are kept, and questions that wait for one. */
const MOST_KEPT = 24;

export class OwnScripts {
  private readonly passes = new Map<string, Pass>();
  private readonly waiting = new Map<number, { readonly key: string; readonly own: OwnPhase }>();
  private nextId = 1;

  /** The phase, where the answer is there. */
  known(own: OwnPhase, question: OwnQuestion): Pass | null {
    return this.passes.get(keyOf(own, question)) ?? null;
  }

  /** null: the answer is there. */
  ask(own: OwnPhase, question: OwnQuestion): OwnAsk | null {
    if (this.known(own, question) !== null) return null;
    const id = this.nextId++;
    this.waiting.set(id, { key: keyOf(own, question), own });
    forget(this.waiting);
    return { id, ...question };
  }

  /** False: nobody waits for this answer. */
  lend(id: number, { script, thrown }: LentScript): boolean {
    const asked = this.waiting.get(id);
    if (asked === undefined) return false;
    this.waiting.delete(id);
    const { name, summary, source } = asked.own;
    this.passes.set(asked.key, replayPass({ name, summary, source: source.split("\n"), script, thrown }));
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

/** What its code is to be asked, where the pipeline stopped at it; null: it is not reached. */
export function questionAt(own: OwnPhase, runs: readonly PositionRun[], program: (run: PositionRun) => GuestProgram): OwnQuestion | null {
  const run = runs.find((one) => one.planned.id === ownId(own.name) && one.ran);
  if (run === undefined) return null;
  return { program: program(run), skips: [...(run.planned.told?.skips ?? [])].sort((a, b) => a - b), fuel: run.fuel };
}
