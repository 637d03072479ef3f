/** The strip's pointer and keys carry a phase: what they do to its state, and what is done with a phase that is put down. */

import { selectPhases, selectRecorded } from "../../../../app/session/selectors.ts";
import type { Session } from "../../../../app/session/session.ts";
import { type Carry, type CarryEvent, type Carrying, nextCarry, REST } from "./carry-state.ts";
import { type Carried, type CarryTarget, carried, interventionOf, sayTarget } from "./places.ts";

/** Listens until the function that it returns is called. */
export function bindCarry(session: Session, strip: HTMLElement, show: (carrying: Carrying | null) => void): () => void {
  const { store, actions } = session;
  let carry: Carry = REST;

  /** Returns whether anything changed. */
  const happen = (event: CarryEvent): boolean => {
    const before = carry;
    carry = nextCarry(before, event);
    if (carry === before) return false;
    show(carry.at === "carried" ? carry : null);
    if (carry.at === "carried" && before.at === "pressed" && carry.pointer !== null) strip.setPointerCapture(carry.pointer);
    if (carry.at === "rest" && carry.dropped !== null) {
      const { carried, target } = carry.dropped;
      const intervention = interventionOf(carried, target);
      if (intervention === null) actions.notify("info", `${sayTarget(carried, target)}.`);
      else actions.futures.fork([intervention]);
    }
    return true;
  };
  const carriedOf = (run: number): Carried | null => {
    const state = store.getState();
    return state.view.embed || selectRecorded(state) ? null : carried(selectPhases(state), run);
  };

  const bound = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void, capture = false): void =>
    strip.addEventListener(type, listener, { signal: bound.signal, capture });
  const pull = (event: PointerEvent): void => {
    const aim = (one: Carried): CarryTarget => targetAt(strip, event, one);
    // A finger scrolls the strip; its long press opens the menu.
    if (event.pointerType !== "touch") happen({ kind: "pull", pointer: event.pointerId, x: event.clientX, y: event.clientY, aim });
  };
  on("pointerdown", ({ target, button, pointerId: pointer, clientX: x, clientY: y }) => {
    const run = target instanceof Element ? target.closest("[data-run]")?.getAttribute("data-run") : null;
    happen({
      kind: "press",
      press: { at: "pressed", pointer, x, y, carried: button === 0 && run != null ? carriedOf(Number(run)) : null },
    });
  });
  on("pointermove", pull);
  on("pointerup", (event) => {
    pull(event);
    happen({ kind: "release" });
  });
  on("pointercancel", () => void happen({ kind: "lost" }));
  // Before the cells' own; keys before the strip's.
  on("click", (event) => happen({ kind: "click" }) && event.stopPropagation(), true);
  on("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const wasCarried = carry.at === "carried";
    const isTaken = happen({ kind: "key", key: event.key, carried: carriedOf(store.getState().position.run) });
    // Nothing else happens while a phase is carried, except that Tab still works.
    if (wasCarried ? event.key === "Tab" : !isTaken) return;
    event.preventDefault();
    event.stopPropagation();
  });
  const unsubscribe = store.subscribe(({ run }, before) => void (run.epoch === before.run.epoch || happen({ kind: "lost" })));
  bound.signal.addEventListener("abort", unsubscribe);
  return () => bound.abort();
}

/** At this distance above or below the strip a phase is left out. */
const OUT = 48;

/** Where a phase would be put if it were dropped here. */
function targetAt(strip: HTMLElement, event: PointerEvent, { others }: Carried): CarryTarget {
  const box = strip.getBoundingClientRect();
  if (event.clientY < box.top - OUT || event.clientY > box.bottom + OUT) return { kind: "out" };
  const place = others.findIndex((one) => {
    const cell = strip.querySelector(`[data-run="${one.run}"]`)?.getBoundingClientRect();
    return cell !== undefined && event.clientX < cell.left + cell.width / 2;
  });
  return { kind: event.ctrlKey || event.metaKey || event.altKey ? "again" : "move", place: place < 0 ? others.length : place };
}
