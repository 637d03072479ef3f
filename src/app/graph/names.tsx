/** Names of cards that are drawn too small to contain them: in one size at every zoom, the most important first, without overlaps. */

import { useStoreApi } from "@xyflow/react";
import { memo, useEffect, useRef } from "react";
import { useSession } from "../session/hooks.ts";
import { lodOf } from "./face/face-store.ts";
import { onAnyFace, useFaceStore } from "./face/use-face.ts";
import styles from "./graph-pane.module.css";
import type { Drawing, DrawnNode } from "./model/drawing.ts";

const FONT = 11;
const LINE = 15;
const MOST = 400;

interface Named {
  readonly node: DrawnNode;
  readonly weight: number;
}

export const Names = memo(function Names({ drawing }: { readonly drawing: Drawing }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const flow = useStoreApi();
  const faces = useFaceStore();
  const theme = useSession((s) => s.theme.resolved);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d") ?? null;
    if (element === null || context === null) return;
    // The colours are read again with another theme.
    element.dataset.theme = theme;
    const style = getComputedStyle(element);
    const [text, back] = [style.getPropertyValue("--text").trim(), style.getPropertyValue("--bg").trim()];
    const font = `600 ${FONT}px ${style.fontFamily}`;
    let asked = 0;
    let shown = true;
    const paint = (): void => {
      asked = 0;
      const { transform, width, height } = flow.getState();
      const far = lodOf(transform[2]) === "box";
      if (!far && !shown) return;
      shown = far;
      // Even an empty picture of this size costs every frame a tenth of its time where there is no GPU.
      element.hidden = !far;
      if (!far) return;
      const ratio = window.devicePixelRatio;
      if (element.width !== Math.round(width * ratio)) element.width = Math.round(width * ratio);
      if (element.height !== Math.round(height * ratio)) element.height = Math.round(height * ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      context.font = font;
      context.textBaseline = "middle";
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.strokeStyle = back;
      context.fillStyle = text;
      const weighed = [...drawing.nodes.values()].flatMap((node): Named[] => {
        const face = faces.node(node.id);
        if (node.kind === "stub" || node.kind === "table" || face?.present !== true) return [];
        const weight =
          face.selected || face.cursor
            ? 4
            : face.focus || face.match === "current"
              ? 3
              : face.changed || face.match !== "none"
                ? 2
                : node.kind === "region"
                  ? 1
                  : 0;
        return [{ node, weight }];
      });
      for (const { name, x, y } of placeNames(weighed, transform, { width, height }, (name) => context.measureText(name).width)) {
        context.strokeText(name, x, y);
        context.fillText(name, x, y);
      }
    };
    const ask = (): void => {
      if (asked === 0) asked = requestAnimationFrame(paint);
    };
    paint();
    const stops = [flow.subscribe(ask), onAnyFace(faces, ask)];
    return () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(asked);
    };
  }, [drawing, faces, flow, theme]);

  return (
    <div className={styles.names} aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  );
});

export interface PlacedName {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Names on the screen, the most important first and then from top to bottom; one that would overlap another is left out. */
export function placeNames(
  nodes: readonly Named[],
  [dx, dy, zoom]: readonly [number, number, number],
  pane: { readonly width: number; readonly height: number },
  widthOf: (name: string) => number,
): PlacedName[] {
  const sorted = [...nodes].sort((a, b) => b.weight - a.weight || a.node.y - b.node.y || a.node.x - b.node.x);
  // Rows of one line's height, each with the occupied ranges: only two rows are examined, however many names there are.
  const rows = new Map<number, [number, number][]>();
  const placed: PlacedName[] = [];
  for (const { node } of sorted) {
    if (placed.length >= MOST) break;
    const x = (node.x + node.width / 2) * zoom + dx;
    const y = (node.y + node.height / 2) * zoom + dy;
    if (x < 0 || y < 0 || x > pane.width || y > pane.height) continue;
    const width = widthOf(node.title) + 6;
    const [low, high] = [x - width / 2, x + width / 2];
    const [first, last] = [Math.floor((y - LINE / 2) / LINE), Math.floor((y + LINE / 2) / LINE)];
    const free = (row: number): boolean => !(rows.get(row) ?? []).some(([a, b]) => low < b && a < high);
    if (!free(first) || !free(last)) continue;
    for (let row = first; row <= last; row++) {
      const taken = rows.get(row);
      if (taken === undefined) rows.set(row, [[low, high]]);
      else taken.push([low, high]);
    }
    placed.push({ name: node.title, x: low + 3, y });
  }
  return placed;
}
