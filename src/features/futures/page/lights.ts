/** The lights of all rewrites of the open future, computed one by one while they are shown: the wanted one first, then from the ends inwards. */

import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { LightReport } from "../engine/types.ts";

/** Inputs that each is tried on. */
export const LIGHT_INPUTS = 16;
/** The page is updated once for this many lights. */
const PAINT_MS = 60;

export interface LightSearch {
  /** This one next. */
  want(n: number): void;
  stop(): void;
}

/** Rewrites from `low` on up to `high` (both included) of the run that is shown. */
export function searchLights(session: Session, low: number, high: number): LightSearch {
  const known = new Map<number, LightReport>();
  const { epoch } = session.store.getState().run;
  let wanted: number | null = null;
  let over = false;
  let painted = 0;

  const order = inwards(low, high);
  const next = (): number | null => {
    if (wanted !== null && !known.has(wanted)) return wanted;
    while (order.length > 0) {
      const n = order.shift();
      if (n !== undefined && !known.has(n)) return n;
    }
    return null;
  };
  const show = (stopped: string | null): void => session.patch("futuresView", { lights: { epoch, known: new Map(known), stopped } });
  const paint = (stopped: string | null): void => {
    painted = performance.now();
    show(stopped);
  };
  async function work(): Promise<void> {
    for (let n = next(); n !== null; n = next()) {
      const light = await session.api.light(n, LIGHT_INPUTS);
      if (over || session.store.getState().run.epoch !== epoch) return;
      if (light === null) {
        paint("this run has no such rewrite");
        return;
      }
      known.set(n, light);
      if (n === wanted || performance.now() - painted > PAINT_MS) paint(null);
    }
    paint(null);
  }
  let working = false;
  const begin = (): void => {
    if (working || over) return;
    working = true;
    work()
      .catch((error: unknown) => {
        if (!over) paint(messageOf(error));
      })
      .finally(() => {
        working = false;
      });
  };
  show(null);
  begin();
  return {
    want(n) {
      wanted = n;
      begin();
    },
    stop() {
      over = true;
    },
  };
}

/** First, last, second, last but one, …: where a program turns wrong is between two that differ. */
export function inwards(low: number, high: number): number[] {
  const order: number[] = [];
  for (let a = low, b = high; a <= b; a++, b--) {
    order.push(a);
    if (b !== a) order.push(b);
  }
  return order;
}
