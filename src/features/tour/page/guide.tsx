/** The coach mark of the guided tour: hangs on what it is about, notices when that was done, and is left at any time. */

import { Popover } from "@base-ui/react/popover";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "../../../app/commands/shortcuts.ts";
import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import type { Session } from "../../../app/session/session.ts";
import { Button, IconButton } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Kbd } from "../../../app/ui/kbd.tsx";
import { Row } from "../../../app/ui/layout.tsx";
import { useWidth } from "../../../app/ui/use-width.ts";
import { leaveTour } from "./actions.ts";
import styles from "./guide.module.css";
import { type Spot, useSpot } from "./spot.ts";
import { COUNTED, STOPS, type Stop, stand } from "./stops.ts";

export function Guide() {
  const at = useSession((s) => s.tour.mark);
  const stop = at === null ? undefined : STOPS[at];
  return at === null || stop === undefined ? null : <Mark at={at} stop={stop} />;
}

/** At the bottom of the window, if none of its anchors is visible. */
const FOOT = { getBoundingClientRect: () => new DOMRect(window.innerWidth / 2, window.innerHeight, 0, 0) };
const HEAD = { getBoundingClientRect: () => new DOMRect(window.innerWidth / 2, 0, 0, 0) };

interface Place {
  readonly anchor: Element | typeof FOOT;
  /** null: that of the stop. */
  readonly side: "top" | "bottom" | null;
  /** On an element, to which its arrow points. */
  readonly hangs: boolean;
}

/**
 * A phone has no space next to a mark's anchor: the mark covers the bars at the top or the transport at the bottom, whichever does not
 * contain what must be pressed. Pane and sentence stay visible.
 */
function placeOf(spot: Spot | null, press: Element | undefined, phone: boolean): Place {
  if (!phone) return { anchor: spot?.element ?? FOOT, side: null, hangs: spot !== null };
  const box = press?.getBoundingClientRect();
  const low = box !== undefined && box.top + box.height / 2 > window.innerHeight / 2;
  return { anchor: low ? HEAD : FOOT, side: low ? "bottom" : "top", hangs: false };
}

function Mark({ at, stop }: { readonly at: number; readonly stop: Stop }) {
  const session = useSessionObject();
  const popup = useRef<HTMLDivElement>(null);
  const spot = useSpot(stop.anchors);
  const press = at === COUNTED ? undefined : spot?.press;
  const place = placeOf(spot, press, useWidth() === "phone");

  useNotice(stop, () => session.patch("tour", { mark: at + 1 }));
  useEndWithProgram(session);
  useEffect(() => {
    press?.setAttribute("data-coach", "");
    return () => press?.removeAttribute("data-coach");
  }, [press]);
  // Enter and the arrows continue from here, and S steps as everywhere. A user who types keeps the focus in the text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus moves whenever another mark opens
  useEffect(() => {
    if (!isTyping(document.activeElement)) popup.current?.focus({ preventScroll: true });
  }, [at]);

  return (
    <Popover.Root
      open
      onOpenChange={(_, { reason, event }) => {
        if (reason === "escape-key" && !takesEscape(event.target)) leave(session);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={place.anchor}
          side={place.side ?? stop.side}
          sideOffset={place.hangs ? 10 : 8}
          collisionPadding={8}
          positionMethod="fixed"
          className={cx(styles.positioner)}
        >
          <Popover.Popup
            ref={popup}
            initialFocus={popup}
            finalFocus={false}
            className={cx(styles.mark, "floating")}
            data-stop={stop.id}
            onKeyDown={(event) => keyDown(session, at, event)}
          >
            {place.hangs ? <Popover.Arrow className={cx(styles.arrow)} /> : null}
            <Words at={at} stop={stop} spot={spot} />
            <Foot at={at} />
            <IconButton icon="close" label="Leave the guided tour" className={styles.close} onClick={() => leave(session)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Words({ at, stop, spot }: { readonly at: number; readonly stop: Stop; readonly spot: Spot | null }) {
  const singleKeys = useSession((s) => s.view.singleKeys);
  return (
    <div aria-live="polite" aria-atomic="true">
      <p className={cx(styles.count, "small muted")}>{at === COUNTED ? "Guided tour" : `${at + 1} of ${COUNTED}`}</p>
      <Popover.Title className={cx(styles.title, "large strong")}>{stop.title}</Popover.Title>
      <Popover.Description>{stop.tells}</Popover.Description>
      {stop.asks === "" ? null : (
        <Row as="p" wrap align="baseline" gap={2} className={cx(styles.asks, "strong")}>
          {spot?.anchor.first === undefined ? stop.asks : `${spot.anchor.first}, then ${lowered(stop.asks)}`}
          {stop.keys === null || !singleKeys ? null : (
            <span className={styles.keys}>
              <Kbd keys={stop.keys} />
            </span>
          )}
        </Row>
      )}
    </div>
  );
}

function Foot({ at }: { readonly at: number }) {
  const session = useSessionObject();
  const openExamples = (): void => {
    leaveTour(session);
    session.command("file.examples")?.run(session);
  };
  return (
    <Row gap={2} className={styles.foot}>
      <span className="grow muted small">
        <span className={styles.keys}>
          <Kbd keys="Escape" /> ends
        </span>
      </span>
      <Button variant="quiet" disabled={at === 0} onClick={() => go(session, at - 1)}>
        Back
      </Button>
      <Button variant="primary" onClick={at === COUNTED ? openExamples : () => go(session, at + 1)}>
        {at === COUNTED ? "Open an example" : "Next"}
      </Button>
    </Row>
  );
}

function go(session: Session, to: number): void {
  const next = STOPS[to];
  if (next === undefined) return;
  session.patch("tour", { mark: to });
  stand(session, next.begins);
}

function leave(session: Session): void {
  leaveTour(session);
  // To where the keys are that the minute was about.
  document.querySelector<HTMLElement>('#pane-timeline [role="slider"]')?.focus();
}

function keyDown(session: Session, at: number, event: KeyboardEvent): void {
  const onButton = event.target instanceof Element && event.target.closest("button") !== null;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.key === "ArrowRight" || (event.key === "Enter" && !onButton)) {
    if (at === COUNTED) leave(session);
    else go(session, at + 1);
  } else if (event.key === "ArrowLeft") go(session, at - 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const lowered = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** Called when what a stop requests becomes true; what is true already was not done for it. */
function useNotice(stop: Stop, onDone: () => void): void {
  const { store } = useSessionObject();
  const done = useEffectEvent(onDone);
  useEffect(() => {
    const read = (): boolean => stop.done(store.getState());
    let was = read();
    const look = (): void => {
      const before = was;
      was = read();
      // Leaving the tour opens Why: that is not the answer to a mark.
      if (was && !before && store.getState().tour.mark !== null) done();
    };
    return store.subscribe(look);
  }, [stop, store]);
}

/** Leaves the tour when another program is opened: it was about this one. */
function useEndWithProgram(session: Session): void {
  useEffect(() => {
    const { since } = session.store.getState().document;
    return session.store.subscribe((state) => {
      if (state.tour.mark !== null && state.document.since !== since) leaveTour(session);
    });
  }, [session]);
}

/** In menus, dialogs and the editor Escape closes something else. */
function takesEscape(target: EventTarget | null): boolean {
  if (document.querySelector('[role="menu"], [role="listbox"][data-open], [role="dialog"]:not([data-stop])') !== null) return true;
  return target instanceof Element && target.closest(".monaco-editor") !== null;
}
