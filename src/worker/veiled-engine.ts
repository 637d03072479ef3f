/** The engine under a veil: each question answers as its row allows. */

import type { Moment, RunResult } from "../engine/api/types.ts";
import { type AsyncEngine, everyQuestion } from "./questions.ts";
import { type Hidden, shownMoment, shownPhases, type Veil, Veiled } from "./veil.ts";

/** `veil`: what is veiled now; null: nothing. */
export function veiledEngine(engine: AsyncEngine, veil: () => Veil | null): AsyncEngine {
  /** The run of the last result that the veil cuts; null: none. */
  let cut: number | null = null;
  const hidden = (): Hidden | null => {
    const now = veil();
    return now === null || cut === null ? null : { run: cut, step: now.step, engine };
  };
  const asRun = (result: RunResult): RunResult => {
    const now = veil();
    cut = now === null ? null : (result.phases.filter((p) => p.id === now.phase)[now.occurrence]?.run ?? null);
    return cut === null ? result : shownPhases(result, cut);
  };
  return everyQuestion<AsyncEngine>((name, { veil: rule }) => {
    const ask = engine[name] as (...args: unknown[]) => Promise<unknown>;
    if (rule === "all") return ask;
    return async (...args) => {
      if (rule === "cut") return asRun((await ask(...args)) as RunResult);
      if (rule === "never" && veil() !== null) throw new Veiled();
      const now = hidden();
      if (now === null || rule === "never") return ask(...args);
      if (rule === "none") throw new Veiled();
      if (rule === "until the step") return ask(shownMoment(now, args[0] as Moment), ...args.slice(1));
      return rule(now, ask, ...args);
    };
  });
}
