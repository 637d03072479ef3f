/** Where a menu of a step or phase opens: the parts of the page that are marked for it with `data-step-menu`. */

import type { Subject } from "../../../engine/api/types.ts";
import type { SessionState } from "../../session/state.ts";
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

/** `pointed`: what lies under the pointer is meant, not what is selected. */
export function targetOf(element: Element, x: number, y: number, pointed: boolean, state: SessionState): MenuTarget | null {
  const marked = element.closest<HTMLElement>("[data-step-menu]");
  const area = marked?.dataset.stepMenu;
  if (marked === null || (area !== "step" && area !== "phase")) return null;
  const run = element.closest("[data-run]")?.getAttribute("data-run") ?? null;
  const { hovered, selected } = state.selection;
  const focus = document.activeElement;
  return {
    area,
    x,
    y,
    from: focus instanceof HTMLElement && marked.contains(focus) ? focus : focusable(marked),
    run: area === "phase" && run !== null ? Number(run) : null,
    subject: (pointed ? hovered : null) ?? selected,
  };
}

/** Where the focus goes when the menu closes: the part itself, or the first in it that takes it. */
function focusable(marked: HTMLElement): HTMLElement {
  return marked.tabIndex >= 0 ? marked : (marked.querySelector<HTMLElement>('[tabindex="0"], button:not([tabindex="-1"])') ?? marked);
}

/** Where a menu asked for by a key opens: below the start of what has the focus. */
export function placeOf(element: Element): readonly [x: number, y: number] {
  const shown = element.querySelector('[data-menu-anchor], [aria-selected="true"]') ?? element;
  const box = shown.getBoundingClientRect();
  return [Math.max(0, box.left) + 12, Math.min(box.bottom, Math.max(0, box.top) + 24)];
}
