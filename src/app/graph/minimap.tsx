/** The small map: every card as a dot of colour, the view as a frame. Press or drag in it to go there. One canvas, not an element a block. */

import { useStore, useStoreApi } from "@xyflow/react";
import { memo, type PointerEvent, useEffect, useRef } from "react";
import type { Box } from "../../layout/types.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import type { FaceStore } from "./face/face-store.ts";
import { onAnyFace, useFaceStore } from "./face/use-face.ts";
import styles from "./graph-pane.module.css";
import type { Drawing } from "./model/drawing.ts";
import type { Camera } from "./use-camera.ts";
import { shownCards } from "./use-follow.ts";
import type { Size, Viewport } from "./viewport.ts";

/** At most so large, and at most this part of the pane's sides. */
const MAX = { width: 150, height: 190, part: 0.3 } as const;

function scaleOf(drawing: Drawing, pane: Size): Size {
  const { bounds } = drawing.layout;
  const factor = Math.min(
    Math.min(MAX.width, pane.width * MAX.part) / bounds.width,
    Math.min(MAX.height, pane.height * MAX.part) / bounds.height,
  );
  // A very tall drawing is squeezed, not made invisible.
  return { width: Math.max(40, Math.round(bounds.width * factor)), height: Math.max(40, Math.round(bounds.height * factor)) };
}

const LEAST_PANE = 320;

/** Where the map may stand, the usual place first; distances from the pane's sides. The left side has the legend. */
const CORNERS = ["low", "high"] as const;
type Corner = (typeof CORNERS)[number];
const FROM_SIDE = { right: 8, low: 20, high: 8 } as const;

/** Where the map covers none of the boxes: where it stands now if it can stay, or null if it covers one everywhere. */
export function freeCorner(now: Corner | null, boxes: readonly Box[], map: Size, view: Viewport, pane: Size): Corner | null {
  const left = pane.width - FROM_SIDE.right - map.width;
  const covers = (corner: Corner): boolean => {
    const top = corner === "low" ? pane.height - FROM_SIDE.low - map.height : FROM_SIDE.high;
    return boxes.some((box) => {
      const x = box.x * view.zoom + view.x;
      const y = box.y * view.zoom + view.y;
      const right = x + box.width * view.zoom;
      const bottom = y + box.height * view.zoom;
      return right > left && x < left + map.width && bottom > top && y < top + map.height;
    });
  };
  const order = now === null ? CORNERS : [now, ...CORNERS];
  return order.find((corner) => !covers(corner)) ?? null;
}

interface MiniMapProps {
  readonly drawing: Drawing;
  readonly camera: Camera;
}

export const MiniMap = memo(function MiniMap({ drawing, camera }: MiniMapProps) {
  const faces = useFaceStore();
  const flow = useStoreApi();
  const { store } = useSessionObject();
  const corner = useRef<Corner | null>("low");
  const theme = useSession((s) => s.theme.resolved);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const pane = useStore((s) => `${s.width} ${s.height}`);
  const [width = 0, height = 0] = pane.split(" ").map(Number);
  const scale = scaleOf(drawing, { width, height });
  const { bounds } = drawing.layout;
  const sx = scale.width / bounds.width;
  const sy = scale.height / bounds.height;

  useEffect(() => {
    let asked = 0;
    const paint = (): void => {
      asked = 0;
      if (canvas.current !== null) paintCards(canvas.current, drawing, faces, sx, sy, theme);
    };
    const ask = (): void => {
      if (asked === 0) asked = requestAnimationFrame(paint);
    };
    paint();
    const stop = onAnyFace(faces, ask);
    return () => {
      stop();
      cancelAnimationFrame(asked);
    };
  }, [drawing, faces, sx, sy, theme]);

  useEffect(() => {
    const place = (): void => {
      const { transform, width, height } = flow.getState();
      const [x, y, zoom] = transform;
      const element = frame.current;
      if (element?.parentElement == null) return;
      // With everything in sight the map says nothing.
      const all =
        bounds.x * zoom + x >= -1 &&
        bounds.y * zoom + y >= -1 &&
        (bounds.x + bounds.width) * zoom + x <= width + 1 &&
        (bounds.y + bounds.height) * zoom + y <= height + 1;
      // Nor is there room for it in a narrow pane.
      const map = element.parentElement;
      map.style.display = all || width < LEAST_PANE ? "none" : "";
      const { position, selection } = store.getState();
      const boxes = shownCards(drawing, position.moment, selection.selected);
      corner.current = freeCorner(corner.current, boxes, { width: scale.width, height: scale.height }, { x, y, zoom }, { width, height });
      map.dataset.corner = corner.current ?? "none";
      element.style.transform = `translate(${(-x / zoom - bounds.x) * sx}px, ${(-y / zoom - bounds.y) * sy}px)`;
      element.style.width = `${Math.max(4, (width / zoom) * sx)}px`;
      element.style.height = `${Math.max(4, (height / zoom) * sy)}px`;
    };
    place();
    const stops = [
      flow.subscribe(place),
      store.subscribe((state, before) => {
        if (state.position.moment !== before.position.moment || state.selection.selected !== before.selection.selected) place();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [flow, store, drawing, bounds, scale.width, scale.height, sx, sy]);

  const go = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const at = { x: bounds.x + (event.clientX - box.left) / sx, y: bounds.y + (event.clientY - box.top) / sy, width: 1, height: 1 };
    camera.show(at, "centre");
  };
  return (
    // Keys move the view in the graph itself; the map is for pointers and says nothing new.
    <div
      className={styles.minimap}
      style={{ width: scale.width, height: scale.height }}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      <canvas ref={canvas} />
      <div ref={frame} className={styles.minimapFrame} />
    </div>
  );
});

function paintCards(canvas: HTMLCanvasElement, drawing: Drawing, faces: FaceStore, sx: number, sy: number, theme: string): void {
  const ratio = window.devicePixelRatio;
  const { bounds } = drawing.layout;
  const width = Math.round(bounds.width * sx * ratio);
  const height = Math.round(bounds.height * sy * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) return;
  const colours = coloursOf(canvas, theme);
  context.setTransform(sx * ratio, 0, 0, sy * ratio, -bounds.x * sx * ratio, -bounds.y * sy * ratio);
  context.clearRect(bounds.x, bounds.y, bounds.width, bounds.height);
  const least = 1.5;
  for (const node of drawing.nodes.values()) {
    const face = faces.node(node.id);
    context.globalAlpha = face?.present === false ? 0.3 : 1;
    context.fillStyle =
      face?.selected === true
        ? colours.selected
        : face?.focus === true
          ? colours.focus
          : face?.changed === true
            ? colours.changed
            : colours.card;
    context.fillRect(node.x, node.y, Math.max(node.width, least / sx), Math.max(node.height, least / sy));
  }
  context.globalAlpha = 1;
}

let known: { readonly theme: string; readonly colours: Readonly<Record<"card" | "selected" | "focus" | "changed", string>> } | null = null;

/** Read once for each theme: asking for styles makes the browser compute them. */
function coloursOf(element: Element, theme: string) {
  if (known === null || known.theme !== theme) {
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    known = {
      theme,
      colours: {
        card: colour("--border-strong"),
        selected: colour("--accent"),
        focus: colour("--kind-cost"),
        changed: colour("--kind-change"),
      },
    };
  }
  return known.colours;
}
