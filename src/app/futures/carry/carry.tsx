/** Moving a phase along the strip: a line shows where a carried phase would go, and words say what happens to it and what that breaks. */

import { type RefObject, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { inPlainNames } from "../../names/phases.ts";
import { useSession } from "../../session/hooks.ts";
import { cx } from "../../ui/cx.ts";
import styles from "./carry.module.css";
import { sayTarget, targetKey } from "./places.ts";
import { type Carrying, useCarry } from "./use-carry.ts";

/** The line is measured from the left of the strip's container, the words from the lower edge of the window. */
interface Place {
  readonly line: number | null;
  readonly above: number;
}

const KEYS = "Arrow keys choose the place, Enter moves it there, Insert runs it again there, Delete leaves it out, Escape cancels.";
const POINTER = "Drop with Ctrl to run it again there, or away from the strip to leave it out. Escape cancels.";

export function Carry({ strip }: { readonly strip: RefObject<HTMLDivElement | null> }) {
  const carrying = useCarry(strip);
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => strip.current?.setAttribute("aria-describedby", "strip-keys"), [strip]);
  useLayoutEffect(() => setPlace(carrying === null ? null : placeOf(carrying, strip.current)), [carrying, strip]);
  const said = carrying === null ? "" : sayTarget(carrying.carried, carrying.target);
  const phases = useSession((s) => s.engine.phases);
  const breaks = carrying?.breaks?.get(targetKey(carrying.target)) ?? null;
  const sentences = breaks?.length === 0 ? ["No constraint is violated."] : (breaks ?? []).map((one) => inPlainNames(one, phases));
  return (
    <>
      <span id="strip-keys" hidden>
        Space picks up the phase to move it, Delete leaves it out, Shift F10 opens its menu.
      </span>
      {carrying === null || place?.line == null ? null : (
        <span
          className={cx(styles.line, carrying.target.kind === "again" && styles.again)}
          style={{ left: place.line }}
          aria-hidden="true"
        />
      )}
      <div role="status" data-testid="carry" className="visually-hidden">
        {carrying === null ? "" : [`${said}.`, ...sentences, ...(carrying.by === "keys" ? [KEYS] : [])].join(" ")}
      </div>
      {carrying === null || place === null
        ? null
        : // In no pane: it is larger than the strip's.
          createPortal(
            <div className={styles.said} style={{ bottom: place.above }} aria-hidden="true">
              <p>
                <strong>{said}.</strong>
              </p>
              {sentences.map((sentence) => (
                <p key={sentence} className={cx(breaks?.length !== 0 && "tone-warn")}>
                  {sentence}
                </p>
              ))}
              <p className="quiet small">{carrying.by === "keys" ? KEYS : POINTER}</p>
            </div>,
            document.body,
          )}
    </>
  );
}

function placeOf({ carried: { others }, target }: Carrying, strip: HTMLDivElement | null): Place | null {
  const host = strip?.offsetParent?.getBoundingClientRect();
  if (strip === null || host === undefined) return null;
  const above = window.innerHeight - strip.getBoundingClientRect().top + 4;
  const cell = (run: number | undefined): DOMRect | undefined => strip.querySelector(`[data-run="${run}"]`)?.getBoundingClientRect();
  if (target.kind === "out") return { line: null, above };
  const x = cell(others[target.place]?.run)?.left ?? cell(others.at(-1)?.run)?.right;
  return { line: x === undefined ? null : x - host.left, above };
}
