/** Where a menu of a step or phase opens: the parts of the page that are marked for it with `data-step-menu`. */

import type { SessionState } from "../../../../app/session/state.ts";
import type { Subject } from "../../../../engine/api/types.ts";
import type { MenuArea } from "./entries.ts";

export interface MenuTarget {
  readonly area: MenuArea;
  readonly x: number;
  readonly y: number;
  readonly from: HTMLElement;
  /** The run of a cell of the strip; null elsewhere. */
  readonly run: number | null;
  readonly subject: Subject | null;
}

/** `pointed`: what is under the pointer is meant, not the selection; by keys, the focused card of the graph. */
export function targetOf(element: Element, x: number, y: number, pointed: boolean, state: SessionState): MenuTarget | null {
  const marked = element.closest<HTMLElement>("[data-step-menu]");
  const area = marked?.dataset.stepMenu;
  if (marked === null || (area !== "step" && area !== "phase")) return null;
  const run = element.closest("[data-run]")?.getAttribute("data-run") ?? null;
  const { hovered, selected } = state.selection;
  const met = pointed || (selected?.kind !== "inst" && marked.querySelector(CURSOR) !== null);
  const focus = document.activeElement;
  return {
    area,
    x,
    y,
    from: focus instanceof HTMLElement && marked.contains(focus) ? focus : focusable(marked),
    run: area === "phase" && run !== null ? Number(run) : null,
    subject: (met ? hovered : null) ?? selected,
  };
}

/** Where the focus goes when the menu closes: the part itself, or its first focusable element. */
function focusable(marked: HTMLElement): HTMLElement {
  return marked.tabIndex >= 0 ? marked : (marked.querySelector<HTMLElement>('[tabindex="0"], button:not([tabindex="-1"])') ?? marked);
}

const CURSOR = '[data-menu-anchor="cursor"]';

/** Where a menu opens by a key: below the start of what has the focus, or of the card or row in it that is meant and can be seen. */
export function placeOf(element: Element): readonly [x: number, y: number] {
  const whole = element.getBoundingClientRect();
  const box =
    [CURSOR, '[data-menu-anchor], [aria-selected="true"]']
      .map((which) => element.querySelector(which)?.getBoundingClientRect())
      .find((found) => found !== undefined && meets(found, whole)) ?? whole;
  const [left, top] = [Math.max(whole.left, box.left, 0), Math.max(whole.top, box.top, 0)];
  return [left + 12, Math.min(box.bottom, top + 24)];
}

const meets = (a: DOMRect, b: DOMRect): boolean => a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
