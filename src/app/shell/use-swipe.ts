/** A swipe to the left or right with one finger. What moves by a finger itself (the graph, the editor, lists that scroll sideways) keeps it. */

import { type TouchEvent, useMemo, useRef } from "react";

/** Pixels across, and how much farther across than down. */
const FAR = 56;
const FLAT = 2;
const OWN = ".react-flow, .monaco-editor, [data-swipe='own'], input, textarea, select";

export interface SwipeHandlers {
  readonly onTouchStart: (event: TouchEvent) => void;
  readonly onTouchEnd: (event: TouchEvent) => void;
}

/** `onSwipe` receives 1 for a swipe to the left, which shows what is on the right. */
export function useSwipe(onSwipe: (by: 1 | -1) => void): SwipeHandlers {
  const from = useRef<{ readonly x: number; readonly y: number } | null>(null);
  return useMemo(
    () => ({
      onTouchStart({ touches, target }) {
        const touch = touches.item(0);
        const own = !(target instanceof Element) || target.closest(OWN) !== null || scrollsSideways(target);
        from.current = touch === null || touches.length > 1 || own ? null : { x: touch.clientX, y: touch.clientY };
      },
      onTouchEnd({ changedTouches }) {
        const touch = changedTouches.item(0);
        const start = from.current;
        from.current = null;
        if (touch === null || start === null) return;
        const across = touch.clientX - start.x;
        if (Math.abs(across) < FAR || Math.abs(across) < FLAT * Math.abs(touch.clientY - start.y)) return;
        onSwipe(across < 0 ? 1 : -1);
      },
    }),
    [onSwipe],
  );
}

function scrollsSideways(target: Element): boolean {
  for (let element: Element | null = target; element !== null; element = element.parentElement)
    if (element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX)) return true;
  return false;
}
