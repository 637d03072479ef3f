/** Carrying a phase along the strip, by pointer or by keys: where it is, what it would break there, and dropping it. */

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useSessionObject } from "../../session/hooks.ts";
import { selectPhases, selectRecorded } from "../../session/selectors.ts";
import { messageOf } from "../../ui/failure.ts";
import {
  type Carried,
  type CarryTarget,
  carried,
  interventionOf,
  orderNow,
  orderOf,
  sayTarget,
  targetAfter,
  targetKey,
  targetsOf,
} from "./places.ts";

export interface Carrying {
  readonly carried: Carried;
  readonly target: CarryTarget;
  /** Sentences of what each target breaks, by its key; null while the engine looks. */
  readonly breaks: ReadonlyMap<string, readonly string[]> | null;
  readonly by: "pointer" | "keys";
}

/** A press that moves less is a press. */
const THRESHOLD = 6;
/** So far above or below the strip a phase is left out. */
const OUT = 48;

/** A pointer that is down on a cell, and perhaps on its way. */
interface Press {
  readonly pointer: number;
  readonly run: number;
  readonly x: number;
  readonly y: number;
}

export function useCarry(strip: RefObject<HTMLDivElement | null>): Carrying | null {
  const session = useSessionObject();
  const [carrying, setCarrying] = useState<Carrying | null>(null);
  const press = useRef<Press | null>(null);
  /** A press that was a drag opens no phase. */
  const dragged = useRef(false);
  const epoch = useRef(-1);

  // Another run under what is carried: its places are not those that were looked at.
  useEffect(() => session.store.subscribe((state) => (state.run.epoch === epoch.current ? undefined : setCarrying(null))), [session]);

  const begin = (run: number, by: Carrying["by"], target: CarryTarget | null): Carried | null => {
    const state = session.store.getState();
    const found = state.view.embed || selectRecorded(state) ? null : carried(selectPhases(state), run);
    if (found === null) return null;
    epoch.current = state.run.epoch;
    setCarrying({ carried: found, target: target ?? { kind: "move", place: found.home }, breaks: null, by });
    const targets = targetsOf(found);
    session.api
      .orderBreaks(
        orderNow(found),
        targets.map((one) => orderOf(found, one)),
      )
      .then(
        (sentences) => {
          const breaks = new Map(targets.map((one, i) => [targetKey(one), sentences[i] ?? []]));
          setCarrying((now) => (now?.carried === found ? { ...now, breaks } : now));
        },
        (error: unknown) => session.actions.notify("error", `The constraints could not be checked: ${messageOf(error)}`),
      );
    return found;
  };
  const want = (target: CarryTarget): void => setCarrying((now) => (now === null ? null : { ...now, target }));
  const drop = (now: Carrying): void => {
    setCarrying(null);
    const intervention = interventionOf(now.carried, now.target);
    if (intervention === null) session.actions.notify("info", `${sayTarget(now.carried, now.target)}.`);
    else session.actions.futures.fork([intervention]);
  };

  const pointerDown = (event: PointerEvent): void => {
    dragged.current = false;
    const run = event.target instanceof Element ? event.target.closest("[data-run]")?.getAttribute("data-run") : null;
    // A finger scrolls the strip; its long press opens the menu.
    if (event.button !== 0 || event.pointerType === "touch" || run === null || run === undefined) return;
    press.current = { pointer: event.pointerId, run: Number(run), x: event.clientX, y: event.clientY };
  };
  const pointerMove = (event: PointerEvent): void => {
    const down = press.current;
    if (down === null || down.pointer !== event.pointerId) return;
    if (dragged.current) {
      if (carrying?.by === "pointer") want(targetAt(strip.current, event, carrying.carried));
      return;
    }
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) < THRESHOLD) return;
    dragged.current = true;
    const found = begin(down.run, "pointer", null);
    if (found === null) press.current = null;
    else {
      strip.current?.setPointerCapture(event.pointerId);
      want(targetAt(strip.current, event, found));
    }
  };
  const pointerUp = (event: PointerEvent): void => {
    const down = press.current;
    press.current = null;
    if (down === null || !dragged.current || carrying === null) return;
    drop({ ...carrying, target: targetAt(strip.current, event, carrying.carried) });
  };
  const letGo = (): void => {
    press.current = null;
    setCarrying(null);
  };
  const clicked = (event: Event): void => {
    if (!dragged.current) return;
    dragged.current = false;
    event.stopPropagation();
  };

  /** True where the key was taken. */
  const key = (event: KeyboardEvent, run: number): boolean => {
    if (carrying === null) {
      if (event.key === " ") return begin(run, "keys", null) !== null;
      if (event.key === "Delete") {
        const found = begin(run, "keys", { kind: "out" });
        if (found !== null) drop({ carried: found, target: { kind: "out" }, breaks: null, by: "keys" });
        return found !== null;
      }
      return false;
    }
    const target = targetAfter(carrying.carried, carrying.target, event.key);
    if (target !== null) want(target);
    else if (event.key === "Enter" || event.key === " ") drop(carrying);
    else if (event.key === "Escape" || event.key === "Tab") letGo();
    // Nothing else happens while a phase is carried; Tab goes on.
    return event.key !== "Tab";
  };

  // On the element itself, before the strip's own keys and presses.
  useLayoutEffect(() => {
    const element = strip.current;
    const bound = new AbortController();
    const { signal } = bound;
    element?.addEventListener("pointerdown", pointerDown, { signal });
    element?.addEventListener("pointermove", pointerMove, { signal });
    element?.addEventListener("pointerup", pointerUp, { signal });
    element?.addEventListener("pointercancel", letGo, { signal });
    element?.addEventListener("click", clicked, { signal, capture: true });
    element?.addEventListener(
      "keydown",
      (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || !key(event, session.store.getState().position.run)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      { signal },
    );
    return () => bound.abort();
  });
  const carriedRun = carrying?.carried.phase.run ?? null;
  useLayoutEffect(() => {
    const cell = carriedRun === null ? null : strip.current?.querySelector(`[data-run="${carriedRun}"]`);
    cell?.toggleAttribute("data-carried", true);
    return () => cell?.removeAttribute("data-carried");
  }, [strip, carriedRun]);
  return carrying;
}

/** Where a phase would be put if it were dropped here. */
function targetAt(strip: HTMLElement | null, event: PointerEvent, { others }: Carried): CarryTarget {
  const box = strip?.getBoundingClientRect();
  if (box !== undefined && (event.clientY < box.top - OUT || event.clientY > box.bottom + OUT)) return { kind: "out" };
  const place = others.findIndex((one) => {
    const cell = strip?.querySelector(`[data-run="${one.run}"]`)?.getBoundingClientRect();
    return cell !== undefined && event.clientX < cell.left + cell.width / 2;
  });
  return { kind: event.ctrlKey || event.metaKey || event.altKey ? "again" : "move", place: place < 0 ? others.length : place };
}
