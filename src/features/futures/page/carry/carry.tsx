/** Moving a phase along the strip: a line shows where a carried phase would go, and words say what happens to it and what that breaks. */

import { type RefObject, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { inPlainNames } from "../../../../app/names/phases.ts";
import { useEngineQuery, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { cx } from "../../../../app/ui/cx.ts";
import { bindCarry } from "./bind-carry.ts";
import styles from "./carry.module.css";
import type { Carrying } from "./carry-state.ts";
import { orderNow, orderOf, sayTarget, targetKey, targetsOf } from "./places.ts";

const KEYS = "Arrow keys choose the place, Enter moves it there, Insert runs it again there, Delete leaves it out, Escape cancels.";
const POINTER = "Drop with Ctrl to run it again there, or away from the strip to leave it out. Escape cancels.";
const NOTHING_BREAKS = "No constraint is violated.";

export function Carry({ strip }: { readonly strip: RefObject<HTMLDivElement | null> }) {
  const session = useSessionObject();
  const [carrying, setCarrying] = useState<Carrying | null>(null);
  const [place, setPlace] = useState<ReturnType<typeof placeOf>>(null);
  const sentences = useBreaks(carrying);
  useLayoutEffect(() => {
    strip.current?.setAttribute("aria-describedby", "strip-keys");
    return strip.current === null ? undefined : bindCarry(session, strip.current, setCarrying);
  }, [session, strip]);
  useLayoutEffect(() => {
    setPlace(placeOf(carrying, strip.current));
    const cell = carrying === null ? null : strip.current?.querySelector(`[data-run="${carrying.carried.phase.run}"]`);
    cell?.toggleAttribute("data-carried", true);
    return () => cell?.removeAttribute("data-carried");
  }, [carrying, strip]);
  const said = carrying === null ? "" : `${sayTarget(carrying.carried, carrying.target)}.`;
  return (
    <>
      <span id="strip-keys" hidden>
        Space picks up the phase to move it, Delete leaves it out, Shift F10 opens its menu.
      </span>
      {place?.line == null ? null : (
        <span
          className={cx(styles.line, carrying?.target.kind === "again" && styles.again)}
          style={{ left: place.line }}
          aria-hidden="true"
        />
      )}
      <div role="status" data-testid="carry" className="visually-hidden">
        {[said, ...sentences, carrying?.pointer === null ? KEYS : ""].join(" ").trim()}
      </div>
      {carrying === null || place === null
        ? null
        : // In no pane: it is larger than the strip's.
          createPortal(
            <div className={cx(styles.said, "floating")} style={{ bottom: place.above }} aria-hidden="true">
              <p>
                <strong>{said}</strong>
              </p>
              {sentences.map((sentence) => (
                <p key={sentence} className={cx(sentence !== NOTHING_BREAKS && "tone-warn")}>
                  {sentence}
                </p>
              ))}
              <p className="quiet small">{carrying.pointer === null ? KEYS : POINTER}</p>
            </div>,
            document.body,
          )}
    </>
  );
}

/** What the place breaks, in sentences; none while the engine looks at all places. */
function useBreaks(carrying: Carrying | null): readonly string[] {
  const phases = useSession((s) => s.engine.phases);
  const { data, fresh, error } = useEngineQuery(carrying === null ? null : `order|${carrying.carried.phase.run}`, async (api) => {
    if (carrying === null) return null;
    const targets = targetsOf(carrying.carried);
    const orders = targets.map((target) => orderOf(carrying.carried, target));
    const breaks = await api.orderBreaks(orderNow(carrying.carried), orders);
    return new Map(targets.map((target, i) => [targetKey(target), breaks[i] ?? []]));
  });
  if (carrying === null || !fresh) return [];
  if (error !== null) return [`The constraints could not be checked: ${error}`];
  const breaks = data?.get(targetKey(carrying.target)) ?? [];
  return breaks.length === 0 ? [NOTHING_BREAKS] : breaks.map((one) => inPlainNames(one, phases));
}

/** The line is measured from the left of the strip's container, the words from the lower edge of the window. */
function placeOf(carrying: Carrying | null, strip: HTMLDivElement | null): { readonly line: number | null; readonly above: number } | null {
  const host = strip?.offsetParent?.getBoundingClientRect();
  if (carrying === null || strip === null || host === undefined) return null;
  const { carried, target } = carrying;
  const above = window.innerHeight - strip.getBoundingClientRect().top + 4;
  if (target.kind === "out") return { line: null, above };
  const cell = (run: number | undefined): DOMRect | undefined => strip.querySelector(`[data-run="${run}"]`)?.getBoundingClientRect();
  const x = cell(carried.others[target.place]?.run)?.left ?? cell(carried.others.at(-1)?.run)?.right;
  return { line: x === undefined ? null : x - host.left, above };
}
