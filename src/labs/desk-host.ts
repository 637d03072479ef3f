/** The desk as a page's thread has it: what reads Bril is its own script, which few labs need, and comes when a text asks for it. */

import { Desk, type DeskJudged, type OpenedLab } from "./desk.ts";
import { answersInBril, mayHoldBril } from "./lab-session.ts";

/** Over the wire every answer has to be waited for: these two may take a script's time longer. */
export function hostedDesk(): object {
  const desk = new Desk();
  // Without it a program in Bril is refused with a message.
  const loadBril = (): Promise<void> =>
    import("../engine/api/read/bril.ts").then(
      ({ BRIL }) => desk.useBril(BRIL),
      () => undefined,
    );
  return Object.assign(desk, {
    async open(text: string): Promise<OpenedLab> {
      if (mayHoldBril(text)) await loadBril();
      return Desk.prototype.open.call(desk, text);
    },
    async judge(...asked: Parameters<Desk["judge"]>): Promise<DeskJudged> {
      if (answersInBril(asked[3])) await loadBril();
      return Desk.prototype.judge.apply(desk, asked);
    },
  });
}
