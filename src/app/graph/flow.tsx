/** The graph itself: React Flow for the cards and the view, our own layer for the lines, one listener for all pointers. */

import { Position, ReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import "@xyflow/react/dist/base.css";
import type { Subject } from "../../engine/api/types.ts";
import type { Box } from "../../layout/types.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { sourceIndex, sourceTitle } from "../session/source-lines.ts";
import type { SessionState } from "../session/state.ts";
import { cx } from "../ui/cx.ts";
import { plural } from "../ui/plural.ts";
import { EdgeLayer } from "./edge-layer.tsx";
import { edgeIndex } from "./edge-path.ts";
import { lodOf } from "./face/face-store.ts";
import { useFaceStore } from "./face/use-face.ts";
import styles from "./graph-pane.module.css";
import { openRegion } from "./graph-view.ts";
import { cardAt, subjectAt, subjectOfLine } from "./hit.ts";
import { boxOfBoth, type Drawing } from "./model/drawing.ts";
import { ownName } from "./model/sides.ts";
import { differencesOf } from "./model/states.ts";
import { Card, type CardNode } from "./node/card.tsx";
import type { OverlayData } from "./overlay/overlay.ts";
import { type Camera, firstViewOf } from "./use-camera.ts";
import { type DrawnState, isBeside } from "./use-drawing.ts";
import { focusBox, useFollow } from "./use-follow.ts";
import { type GraphKeys, useKeyboard } from "./use-keyboard.ts";
import { inSight, MAX_ZOOM, MIN_ZOOM, type Size } from "./viewport.ts";

const NODE_TYPES = { card: Card };
const NO_EDGES: never[] = [];
const LINE_REACH = 7;
/** The phase that numbers the blocks. */
const NUMBERS = "analyze-control-flow";

export interface FlowProps {
  readonly drawn: DrawnState;
  readonly overlay: OverlayData | null;
  readonly camera: Camera;
  readonly size: Size;
}

export function Flow({ drawn, overlay, camera, size }: FlowProps) {
  const { drawing } = drawn;
  const faces = useFaceStore();
  const { selection } = useActions();
  const name = useSession((s) => s.position.moment?.name ?? "");
  const own = useRef<Subject | null>(null);
  const say = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => cardNodes(drawing), [drawing]);
  const first = useRef(firstViewOf(drawing, size));

  useFaces(drawn, overlay);
  useLodWatch();
  useRoom(drawn);
  const ready = useStore((s) => s.width > 0 && s.panZoom !== null);
  useStart(ready, drawn, camera);
  // After the start: a program, or a new view of it, is shown where its step is.
  useFollow(ready ? drawing : null, camera, own);
  useResize(drawn, camera);
  const select = (subject: Subject | null): void => {
    own.current = subject;
    selection.select(subject);
  };
  const keys = useKeyboard(drawing, faces, camera, select, say);
  const pointer = usePointer({ drawing, camera, own, select, placeAt: keys.placeAt });

  return (
    <>
      <ReactFlow
        className={cx(styles.flow, drawn.mode === "now" && styles.morph)}
        // Named in About, with all software by others.
        proOptions={{ hideAttribution: true }}
        nodes={nodes}
        edges={NO_EDGES}
        nodeTypes={NODE_TYPES}
        defaultViewport={first.current}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        selectionKeyCode={null}
        deleteKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        panOnScroll
        panOnScrollSpeed={1}
        zoomOnDoubleClick={false}
        tabIndex={0}
        data-step-menu="step"
        data-compared={drawn.compare === null ? undefined : ""}
        aria-label={`Control-flow graph of ${name}: ${plural(drawing.model.union.blocks.length, "block")}. Arrow keys move along edges, Enter selects. The outline lists the same graph as text.`}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
        {...pointer}
      >
        <EdgeLayer drawing={drawing} overlay={overlay} />
      </ReactFlow>
      <HoverCursor />
      <div ref={say} className="visually-hidden" aria-live="polite" />
    </>
  );
}

interface PointerProps {
  readonly drawing: Drawing;
  readonly camera: Camera;
  readonly own: RefObject<Subject | null>;
  readonly select: (subject: Subject | null) => void;
  readonly placeAt: GraphKeys["placeAt"];
}

/** What the pointer does on the graph: it points, selects, and opens what is collapsed. */
function usePointer({ drawing, camera, own, select, placeAt }: PointerProps) {
  const faces = useFaceStore();
  const { selection } = useActions();
  const session = useSessionObject();
  const lines = useMemo(() => edgeIndex(drawing.edges.values()), [drawing]);
  const lineAt = (event: PointerEvent | MouseEvent): Subject | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const { x, y, zoom } = camera.view();
    const id = lines.nearest((event.clientX - box.left - x) / zoom, (event.clientY - box.top - y) / zoom, LINE_REACH / zoom);
    return id === null || faces.edge(id)?.hidden === true ? null : subjectOfLine(id, drawing, faces);
  };
  const subjectUnder = (event: PointerEvent | MouseEvent): Subject | null => {
    const card = cardAt(event.target, drawing);
    return card === null ? lineAt(event) : subjectAt(event.target, card, drawing, faces);
  };
  return {
    onPointerMove(event: PointerEvent): void {
      if (event.buttons !== 0) return;
      selection.hover(subjectUnder(event), lineUnder(event.target, session.store.getState()));
    },
    onPointerLeave: () => selection.hover(null),
    onClick(event: MouseEvent): void {
      const card = cardAt(event.target, drawing);
      if (card !== null) placeAt(card.id);
      const subject = subjectUnder(event);
      if (subject === null && !(event.target instanceof Element && event.target.closest(".react-flow__pane") !== null)) return;
      select(subject);
      if (card?.kind === "stub" && subject !== null) own.current = null;
    },
    onDoubleClick(event: MouseEvent): void {
      const card = cardAt(event.target, drawing);
      if (card?.kind === "region") openRegion(session, ownName(card.id));
      else if (card?.kind === "block") selection.select({ kind: "block", id: card.blocks[0] ?? -1 });
    },
  };
}

/** The source line of the instruction under the pointer. Its text becomes the title now: not made for the thousands that are never pointed at. */
function lineUnder(target: EventTarget, state: SessionState): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-inst]") : null;
  if (row === null || state.position.moment === null) return null;
  const inst = sourceIndex(state.position.moment).insts.get(Number(row.getAttribute("data-inst")))?.inst;
  if (inst === undefined || inst.line <= 0) return null;
  const title = sourceTitle(state, inst);
  if (title !== null && row.title !== title) row.title = title;
  return inst.line;
}

/** Keeps the faces in step with the session, outside of React's rendering: only changes are notified. */
function useFaces({ drawing, compare }: DrawnState, overlay: OverlayData | null): void {
  const faces = useFaceStore();
  const { store } = useSessionObject();
  useLayoutEffect(() => {
    const read = () => {
      const { position, selection, run } = store.getState();
      const phase = position.moment === null ? undefined : run.result?.phases[position.moment.run]?.id;
      return {
        moment: position.moment,
        numbers: phase === NUMBERS,
        selected: selection.selected,
        hovered: selection.hovered,
        line: selection.line,
      };
    };
    faces.update({ drawing, compare, overlay, ...read() });
    return store.subscribe((state, before) => {
      if (state.position.moment !== before.position.moment || state.selection !== before.selection) faces.update(read());
    });
  }, [faces, store, drawing, compare, overlay]);
}

function useLodWatch(): void {
  const faces = useFaceStore();
  const flow = useStoreApi();
  useLayoutEffect(() => {
    faces.setLod(lodOf(flow.getState().transform[2]));
    return flow.subscribe((state) => faces.setLod(lodOf(state.transform[2])));
  }, [faces, flow]);
}

/** The column next to a large drawing appears with the drawing; the library measures the remaining room a frame later, after the first view. */
function useRoom(drawn: DrawnState): void {
  const flow = useStoreApi();
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each drawing
  useLayoutEffect(() => {
    const { domNode, width, height } = flow.getState();
    if (domNode === null || width === 0) return;
    const now = { width: domNode.clientWidth, height: domNode.clientHeight };
    if (now.width !== width || now.height !== height) flow.setState(now);
  }, [flow, drawn]);
}

/** A new program is shown from its start, and so is another phase's drawing that is outside the view. */
function useStart(ready: boolean, drawn: DrawnState, camera: Camera): void {
  const started = useRef<DrawnState | null>(null);
  useEffect(() => {
    const before = started.current;
    if (!ready || before === drawn) return;
    started.current = drawn;
    // A drawing that was shown whole is shown whole in the next phase, unless the user has moved the view.
    const kept = !drawn.fresh && before !== null && isWhole(before) && camera.isFitted(before.drawing, camera.pane());
    // Immediately: the code below reads what is visible. Two graphs are compared: show both completely, or the first difference.
    const difference = drawn.fresh && isBeside(drawn.mode) ? firstDifference(drawn) : null;
    if (difference !== null && camera.startAt(drawn.drawing, difference)) return;
    if (isWhole(drawn) && (kept || (drawn.fresh && isBeside(drawn.mode)))) camera.refit(drawn.drawing);
    else if (drawn.fresh || camera.isBlank(drawn.drawing)) camera.start(drawn.drawing);
  }, [ready, drawn, camera]);
}

/** Drawn to be seen as a whole. */
const isWhole = ({ mode, columns }: DrawnState): boolean => isBeside(mode) || columns > 1;

/** Where the two sides differ first, in both of them. */
function firstDifference({ drawing, compare }: DrawnState): Box | null {
  if (compare?.head == null) return null;
  const [first] = differencesOf(compare.base, compare.head);
  return first === undefined ? null : boxOfBoth(drawing, first.id);
}

/**
 * What is in the middle of the pane's width stays there when the pane becomes wider or narrower, and the step's subject stays visible; what was
 * shown as a whole is fitted again.
 */
function useResize(drawn: DrawnState, camera: Camera): void {
  const flow = useStoreApi();
  const { store } = useSessionObject();
  useEffect(() => {
    let { width, height } = flow.getState();
    return flow.subscribe((state) => {
      if (state.width === width && state.height === height) return;
      const before = { width, height };
      ({ width, height } = state);
      if (before.width <= 0 || before.height <= 0 || width <= 0 || height <= 0) return;
      if (camera.isFitted(drawn.drawing, before)) camera.refit(drawn.drawing);
      else if (width !== before.width) {
        const { moment } = store.getState().position;
        const box = moment === null ? null : focusBox(drawn.drawing, moment);
        const wasSeen = box !== null && inSight(box, camera.view(), before);
        camera.shift((width - before.width) / 2, 0);
        if (wasSeen) camera.keep(box, drawn.drawing);
      }
    });
  }, [drawn, camera, flow, store]);
}

/** Indicates by the pointer that a line can be picked. */
function HoverCursor() {
  const onLine = useSession((s) => s.selection.hovered?.kind === "edge");
  return onLine ? <span className={styles.onLine} /> : null;
}

/** Sizes, and ends of edges as data: the library measures nothing. */
function cardNodes(drawing: Drawing): CardNode[] {
  const ghosts = new Map(drawing.model.union.blocks.map((b) => [b.id, ghostWord(b.before, b.after)]));
  return [...drawing.nodes.values()].map((node): CardNode => {
    const { id, x, y, width, height } = node;
    return {
      id,
      type: "card",
      position: { x, y },
      width,
      height,
      measured: { width, height },
      handles: [
        { type: "target", position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
        { type: "source", position: Position.Bottom, x: width / 2, y: height, width: 1, height: 1 },
      ],
      data: { node, ghost: ghosts.get(node.blocks[0] ?? -1) ?? "", labels: drawing.model.labels },
    };
  });
}

function ghostWord(before: boolean, after: boolean): string {
  if (before) return after ? "removed, then restored" : "deleted";
  return after ? "not created yet" : "exists only in between";
}
