/** Where there is no room for two graphs side by side: one of them in a readable size, at the same place when the other is chosen. */

import { useStore } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { ViewButtons } from "../ui/view-buttons.tsx";
import type { Drawing, DrawnSide, Side } from "./model/drawing.ts";
import type { Camera } from "./use-camera.ts";
import { focusBox } from "./use-follow.ts";
import { BESIDE } from "./viewport.ts";

type Shown = "both" | Side;
const WAYS: readonly (readonly [shown: Shown, title: string])[] = [
  ["both", "Both"],
  ["before", "Before"],
  ["after", "After"],
];

export function SideSwitch({ drawing, camera }: { readonly drawing: Drawing; readonly camera: Camera }) {
  const narrow = useStore((s) => s.width > 0 && s.width < BESIDE);
  const session = useSessionObject();
  const [shown, setShown] = useState<Shown>("both");
  const { sides } = drawing;
  const last = useRef(drawing);

  // Another phase: the same side of it.
  useEffect(() => {
    if (last.current === drawing) return;
    last.current = drawing;
    const side = drawing.sides?.find((s) => s.side === shown);
    if (side !== undefined) look(side, drawing, camera, session);
  }, [drawing, camera, shown, session]);

  if (sides === undefined || !narrow) return null;
  const press = (next: Shown): void => {
    const [from, to] = [sides.find((s) => s.side === shown), sides.find((s) => s.side === next)];
    setShown(next);
    if (to === undefined) camera.fit(drawing);
    else if (from === undefined || from === to || from.entry === null || to.entry === null) look(to, drawing, camera, session);
    else {
      const { zoom } = camera.view();
      camera.shift((from.entry.x - to.entry.x) * zoom, (from.entry.y - to.entry.y) * zoom);
    }
  };
  return <ViewButtons label="Which of the two graphs" views={WAYS} shown={shown} onShow={press} wide />;
}

/** Whole if it can be read so, else from the card that the step is about, or from its beginning. */
function look({ side, bounds, entry }: DrawnSide, drawing: Drawing, camera: Camera, { store }: Session): void {
  const { moment } = store.getState().position;
  const at = moment === null ? null : focusBox(drawing, moment, side);
  const inside = (y: number, card: { readonly y: number; readonly height: number }): boolean => y >= card.y && y < card.y + card.height;
  const cards = [...drawing.nodes.values()].filter((card) => card.side === side && at?.x === card.x);
  camera.look(bounds, (at === null ? undefined : cards.find((card) => inside(at.y, card))) ?? entry, drawing.model.union.blocks.length);
}
