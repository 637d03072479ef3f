/** Where a coach mark hangs: the first of its anchors that is visible, searched again whenever the page changes. */

import { useEffect, useState } from "react";
import type { Anchor } from "./stops.ts";

export interface Spot {
  readonly element: Element;
  /** The element to press. */
  readonly press: Element;
  readonly anchor: Anchor;
}

/** Pixels of an element that must be visible, in each direction. */
const ENOUGH = 20;
/** Height of a mark with the longest text. */
const MARK = 240;

/** null: no anchor is visible; the mark then has a fixed place. */
export function useSpot(anchors: readonly Anchor[]): Spot | null {
  const [spot, setSpot] = useState<Spot | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const found = findSpot(anchors);
      setSpot((before) => (before?.element === found?.element && before?.press === found?.press ? before : found));
    };
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    // Panes come and go, tabs move into a menu, the graph is dragged: all of it shows in the document, most of it in nothing else.
    const changes = new MutationObserver(soon);
    changes.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "hidden"] });
    window.addEventListener("resize", soon);
    document.addEventListener("scroll", soon, { capture: true, passive: true });
    return () => {
      changes.disconnect();
      window.removeEventListener("resize", soon);
      document.removeEventListener("scroll", soon, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, [anchors]);
  return spot;
}

function findSpot(anchors: readonly Anchor[]): Spot | null {
  for (const anchor of anchors) {
    const element = document.querySelector(anchor.at);
    if (element === null || !inSight(element)) continue;
    if (anchor.above === true && element.getBoundingClientRect().top < MARK) continue;
    const press = anchor.press === undefined ? element : document.querySelector(anchor.press);
    if (press !== null && inSight(press)) return { element, anchor, press };
  }
  return null;
}

/** Whether enough of an element is left once everything that cuts it off has done so. */
function inSight(element: Element): boolean {
  if (getComputedStyle(element).visibility !== "visible") return false;
  const box = element.getBoundingClientRect();
  let [left, top, right, bottom] = [Math.max(0, box.left), Math.max(0, box.top), box.right, box.bottom];
  right = Math.min(right, window.innerWidth);
  bottom = Math.min(bottom, window.innerHeight);
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflow === "visible") continue;
    const cut = parent.getBoundingClientRect();
    left = Math.max(left, cut.left);
    top = Math.max(top, cut.top);
    right = Math.min(right, cut.right);
    bottom = Math.min(bottom, cut.bottom);
  }
  return right - left >= Math.min(ENOUGH, box.width) && bottom - top >= Math.min(ENOUGH, box.height) && right > left && bottom > top;
}
