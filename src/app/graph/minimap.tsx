/** The small map: every card as a dot of colour, the view as a frame. Press or drag in it to go there. One canvas, not an element a block. */

import { useStore, useStoreApi } from "@xyflow/react";
import { memo, type PointerEvent, useEffect, useRef } from "react";
import { useSession } from "../session/hooks.ts";
import type { FaceStore } from "./face/face-store.ts";
import type { NodeFace } from "./face/faces.ts";
import { onAnyFace, useFaceStore } from "./face/use-face.ts";
import styles from "./graph-pane.module.css";
import type { Drawing } from "./model/drawing.ts";
import type { Camera } from "./use-camera.ts";
import type { Size } from "./viewport.ts";

/** So wide; at most so high, and at most this part of the pane's height. */
const WIDTH = 124;
const MAX = { height: 240, part: 0.4 } as const;
const LEAST = { height: 72, frame: 4 } as const;

/**
 * Always as wide as its column: it keeps its position from step to step, and a drawing of hundreds of blocks, which is much higher
 * than wide, is squeezed instead of becoming a thin strip.
 */
function scaleOf(drawing: Drawing, paneHeight: number): Size {
  const { bounds } = drawing.layout;
  const most = Math.min(MAX.height, paneHeight * MAX.part);
  return { width: WIDTH, height: Math.round(Math.max(LEAST.height, Math.min(most, (bounds.height * WIDTH) / bounds.width))) };
}

interface MiniMapProps {
  readonly drawing: Drawing;
  readonly camera: Camera;
}

export const MiniMap = memo(function MiniMap({ drawing, camera }: MiniMapProps) {
  const faces = useFaceStore();
  const flow = useStoreApi();
  const theme = useSession((s) => s.theme.resolved);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const scale = scaleOf(
    drawing,
    useStore((s) => s.height),
  );
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
      if (element === null) return;
      // Of a view that reaches past the drawing, the part inside.
      const along = (start: number, size: number, length: number): readonly [at: number, part: number] => {
        const at = Math.max(0, Math.min(start, length - LEAST.frame));
        return [at, Math.max(LEAST.frame, Math.min(start + size, length) - at)];
      };
      const [left, wide] = along((-x / zoom - bounds.x) * sx, (width / zoom) * sx, bounds.width * sx);
      const [top, high] = along((-y / zoom - bounds.y) * sy, (height / zoom) * sy, bounds.height * sy);
      element.style.transform = `translate(${left}px, ${top}px)`;
      element.style.width = `${wide}px`;
      element.style.height = `${high}px`;
    };
    place();
    return flow.subscribe(place);
  }, [flow, bounds, sx, sy]);

  const go = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const at = { x: bounds.x + (event.clientX - box.left) / sx, y: bounds.y + (event.clientY - box.top) / sy, width: 1, height: 1 };
    camera.centre(at, drawing);
  };
  return (
    // Keys move the view in the graph itself; the map is for pointers and shows nothing new.
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
    context.fillStyle = colours[colourOf(face)];
    context.fillRect(node.x, node.y, Math.max(node.width, least / sx), Math.max(node.height, least / sy));
  }
  context.globalAlpha = 1;
}

type Colour = "card" | "selected" | "focus" | "changed" | "diff-added" | "diff-removed" | "diff-changed";

function colourOf(face: NodeFace | null): Colour {
  if (face === null) return "card";
  if (face.selected) return "selected";
  if (face.diff !== "same") return `diff-${face.diff}`;
  return face.focus ? "focus" : face.changed ? "changed" : "card";
}

let known: { readonly theme: string; readonly colours: Readonly<Record<Colour, string>> } | null = null;

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
        "diff-added": colour("--ok"),
        "diff-removed": colour("--error"),
        "diff-changed": colour("--warn"),
      },
    };
  }
  return known.colours;
}
