/** The guided minute: a card at what it speaks of, which is framed. The page stays usable beside it. */

import { Popover } from "@base-ui/react/popover";
import { useEffect, useState } from "react";
import { TWO_ADDS } from "../examples/catalogue.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { enterStop, leaveTour } from "./actions.ts";
import { STOPS } from "./stops.ts";
import styles from "./tour.module.css";

export function Tour() {
  const index = useSession((s) => s.view.tour);
  return index === null ? null : <StopCard index={index} />;
}

function StopCard({ index }: { readonly index: number }) {
  const session = useSessionObject();
  const ready = useSession((s) => s.position.trace?.id === TWO_ADDS.phase && s.position.moment !== null && !s.position.tracing);
  const other = useSession((s) => s.document.example !== TWO_ADDS.id || s.document.edited);
  const anchor = useAnchor(index, ready);
  const stop = STOPS[index];

  // Another program: it has left by itself.
  useEffect(() => {
    if (other) session.actions.view.set({ tour: null });
  }, [other, session]);
  // The trace comes after the program; each stop has its own step in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a program, not once a stop
  useEffect(() => {
    if (ready) enterStop(session, index);
  }, [ready, session]);

  if (stop === undefined || anchor === null) return null;
  const last = index === STOPS.length - 1;
  return (
    <Popover.Root
      open
      onOpenChange={(_open, { reason }) => {
        // A press beside the card is work in the page, not a wish to leave.
        if (reason === "escape-key") leaveTour(session);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} side="left" sideOffset={10} collisionPadding={12} className={cx(styles.positioner)}>
          <Popover.Popup className={cx(styles.card)} finalFocus={false} data-testid="tour">
            <div className={styles.head}>
              <Popover.Title className={cx(styles.title)}>{stop.title}</Popover.Title>
              <IconButton icon="close" label="Leave the guided minute" keys="Escape" onClick={() => leaveTour(session)} />
            </div>
            <p className={styles.text} role="status">
              {stop.text}
            </p>
            <div className={styles.foot}>
              <span className={styles.count}>
                {index + 1} of {STOPS.length}
              </span>
              <Button disabled={index === 0} onClick={() => enterStop(session, index - 1)}>
                Back
              </Button>
              {last ? (
                <Button
                  onClick={() => {
                    leaveTour(session);
                    session.actions.view.set({ dialog: "examples" });
                  }}
                >
                  Open an example
                </Button>
              ) : null}
              <Button variant="primary" onClick={() => enterStop(session, index + 1)}>
                {last ? "Done" : "Next"}
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The element that a stop points at, framed while it does. */
function useAnchor(index: number, ready: boolean): Element | null {
  const [anchor, setAnchor] = useState<Element | null>(null);
  useEffect(() => {
    if (!ready) return;
    let framed: Element | null = null;
    // One frame later the pane that the stop opens is there.
    const frame = requestAnimationFrame(() => {
      const found = STOPS[index]?.at.map((selector) => document.querySelector(selector)).find((e) => e !== null) ?? document.body;
      framed = found;
      found.setAttribute("data-tour", "");
      setAnchor(found);
    });
    return () => {
      cancelAnimationFrame(frame);
      framed?.removeAttribute("data-tour");
    };
  }, [index, ready]);
  return anchor;
}
