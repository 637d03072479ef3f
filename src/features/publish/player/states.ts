/** The versions of a phase's cards at any step: stepped to by what each step sets, and back by what it replaced. */

import type { PlayerPhase } from "../engine/html/data.ts";

export class States {
  readonly phase: PlayerPhase;
  /** Version of each card now; -1: not there. */
  readonly now: number[];
  private readonly undo: (readonly (readonly [card: number, version: number])[])[] = [];
  private at = -1;

  constructor(phase: PlayerPhase) {
    this.phase = phase;
    this.now = [...phase.start];
  }

  get step(): number {
    return this.at;
  }

  /** -1: the phase's input. */
  goTo(step: number): void {
    const { steps } = this.phase;
    const wanted = Math.max(-1, Math.min(step, steps.length - 1));
    while (this.at < wanted) {
      this.at++;
      const sets = steps[this.at]?.sets ?? [];
      this.undo[this.at] = sets.map(([card]) => [card, this.now[card] ?? -1]);
      for (const [card, version] of sets) this.now[card] = version;
    }
    while (this.at > wanted) {
      for (const [card, version] of this.undo[this.at] ?? []) this.now[card] = version;
      this.at--;
    }
  }

  /** What the current step replaced: card and version before. */
  replaced(): readonly (readonly [card: number, version: number])[] {
    return this.at < 0 ? [] : (this.undo[this.at] ?? []);
  }
}
