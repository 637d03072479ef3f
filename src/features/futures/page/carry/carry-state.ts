/** Carrying a phase along the strip as one state machine: its states, its events, and the pure function from one state to the next. */

import { type Carried, type CarryTarget, targetAfter } from "./places.ts";

/** A pointer is down. `carried`: the phase under it, where it can be carried. */
interface Pressed {
  readonly at: "pressed";
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly carried: Carried | null;
}

export interface Carrying {
  readonly at: "carried";
  /** null: the keys carry it. */
  readonly pointer: number | null;
  readonly carried: Carried;
  readonly target: CarryTarget;
}

/** What was just dropped. `dragged`: the click that ends a drag is still pending, and must not open a phase. */
type Rest = { readonly at: "rest"; readonly dropped: Carrying | null; readonly dragged: boolean };

export type Carry = Pressed | Carrying | Rest;

export type CarryEvent =
  | { readonly kind: "press"; readonly press: Pressed }
  /** `aim`: where a phase would be put if it were dropped here. */
  | { readonly kind: "pull"; readonly pointer: number; readonly x: number; readonly y: number; readonly aim: (one: Carried) => CarryTarget }
  /** `lost`: the pointer was lost, or a new run has other positions. */
  | { readonly kind: "release" | "click" | "lost" }
  /** `carried`: the open phase, where it can be carried. */
  | { readonly kind: "key"; readonly key: string; readonly carried: Carried | null };

/** A press that moves less is a press. */
const THRESHOLD = 6;

export const REST: Rest = { at: "rest", dropped: null, dragged: false };

/** The state after `event`; the very same object where nothing changes. */
export function nextCarry(now: Carry, event: CarryEvent): Carry {
  switch (event.kind) {
    case "press":
      return event.press;
    case "pull": {
      if (now.at === "rest" || now.pointer !== event.pointer) return now;
      if (now.at === "carried") return { ...now, target: event.aim(now.carried) };
      if (Math.hypot(event.x - now.x, event.y - now.y) < THRESHOLD) return now;
      return now.carried === null ? { ...REST, dragged: true } : pickedUp(now.carried, event.aim(now.carried), now.pointer);
    }
    case "release":
      return now.at === "carried" && now.pointer !== null ? putDown(now) : now.at === "pressed" ? REST : now;
    case "lost":
      return now.at === "carried" ? letGo(now) : now.at === "pressed" ? REST : now;
    case "click":
      return now.at === "rest" && now.dragged ? REST : now;
    case "key":
      if (now.at === "carried") return afterKey(now, event.key);
      if (event.carried === null || (event.key !== " " && event.key !== "Delete")) return now;
      return event.key === " "
        ? pickedUp(event.carried, { kind: "move", place: event.carried.home }, null)
        : putDown(pickedUp(event.carried, { kind: "out" }, null));
  }
}

const pickedUp = (carried: Carried, target: CarryTarget, pointer: number | null): Carrying => ({ at: "carried", pointer, carried, target });
const letGo = ({ pointer }: Carrying): Rest => ({ ...REST, dragged: pointer !== null });
const putDown = (dropped: Carrying): Rest => ({ ...letGo(dropped), dropped });

function afterKey(now: Carrying, key: string): Carry {
  const target = targetAfter(now.carried, now.target, key);
  if (target !== null) return { ...now, target };
  if (key === "Enter" || key === " ") return putDown(now);
  return key === "Escape" || key === "Tab" ? letGo(now) : now;
}
