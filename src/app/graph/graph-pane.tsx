/** The graph of the open phase: bar, drawing, legend, small map. It reads everything from the session. */

import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Window } from "../../layout/choose-columns.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { NothingRan } from "../session/of-program.tsx";
import { selectGraph } from "../session/selectors.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Elapsed } from "../ui/elapsed.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Row, Stack } from "../ui/layout.tsx";
import { useWidth } from "../ui/use-width.ts";
import { BlockList } from "./block-list.tsx";
import { selectedBlock } from "./commands.ts";
import { mountGraph } from "./controller.ts";
import { createFaceStore } from "./face/face-store.ts";
import { FaceProvider, useFaceStore } from "./face/use-face.ts";
import { Flow } from "./flow.tsx";
import { GraphBar } from "./graph-bar.tsx";
import styles from "./graph-pane.module.css";
import { closeRegions, forgetProgram } from "./graph-view.ts";
import { Legend } from "./legend.tsx";
import { MiniMap } from "./minimap.tsx";
import { boxOfBoth, type Drawing, nodeOfBlock } from "./model/drawing.ts";
import { Names } from "./names.tsx";
import { useMarks } from "./overlay/marks.ts";
import { pictureOf, savePicture } from "./picture/save.ts";
import { useSearch } from "./search-bar.tsx";
import { SideSwitch } from "./side-switch.tsx";
import { type Camera, useCamera } from "./use-camera.ts";
import { useDrawing } from "./use-drawing.ts";
import { focusBox } from "./use-follow.ts";
import { useOverlay } from "./use-overlay.ts";
import { partlyInSight, roomIn, type Size } from "./viewport.ts";

export function GraphPane() {
  const empty = useSession((s) => selectGraph(s) === null);
  const [faces] = useState(createFaceStore);
  if (empty) return <NothingRan />;
  return (
    <ReactFlowProvider>
      <FaceProvider value={faces}>
        <GraphBody />
      </FaceProvider>
    </ReactFlowProvider>
  );
}

function GraphBody() {
  const session = useSessionObject();
  const camera = useCamera();
  const canvas = useRef<HTMLDivElement>(null);
  const size = useFirstSize(canvas);
  const pane = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [whole, mayHaveRail] = [useSize(pane, body), useMayHaveRail()];
  const roomFor = useMemo(
    () =>
      whole === null
        ? null
        : (blocks: number): Window => {
            // As it is now: a pane that is a little smaller than it was may be worth a column more.
            const room = roomOf(pane.current, body.current) ?? whole;
            return roomIn({ ...room, width: room.width - (mayHaveRail(blocks, room) ? RAIL.width : 0) }, blocks);
          },
    [whole, mayHaveRail],
  );
  const { drawn, program, progress, stop, drawAgain } = useDrawing(
    {
      isSelected: () => selectedBlock(session.store.getState()) !== null,
      anchorOf: (before) => anchorOf(before, camera, selectedBlock(session.store.getState())),
    },
    roomFor,
  );
  const error = progress.state === "failed" ? progress.error : null;
  const overlay = useOverlay();
  const marked = useMarks(overlay);
  // The state of a different phase does not apply to this one.
  const drawing = progress.state === "stopped" ? null : (drawn?.drawing ?? null);
  const rail = drawing !== null && whole !== null && mayHaveRail(drawing.model.union.blocks.length, whole) && isLarge(drawing, whole);
  useController(drawing, camera);
  // Immediately, not when it is drawn: what the user chooses meanwhile is meant for it.
  useForget(program === "" ? null : program);
  const search = useSearch(drawing, camera);
  const compared = useSession((s) => s.graph.mode === "pair");
  const pair = useSession((s) => s.graph.pair);
  // The positions of a different program, of other sides or of none: the visible graph is not drawn there.
  const other = program !== "" && drawn !== null && drawn.program !== program;
  const awaited = other || (compared && (pair === null || drawn?.compare?.base !== pair.base || drawn.compare.head !== pair.head));
  const embed = useSession((s) => s.view.embed);
  const tight = useWidth() === "phone" && embed;
  return (
    <Stack ref={pane} grow fill className={styles.pane} data-graph aria-busy={progress.state === "drawing"}>
      <GraphBar search={search} />
      {drawing?.sides === undefined ? null : <SideSwitch drawing={drawing} camera={camera} />}
      <Row ref={body} align="stretch" grow>
        <div ref={canvas} className={cx(styles.canvas, awaited && styles.awaited)}>
          {progress.state === "stopped" ? (
            <Stopped drawAgain={drawAgain} />
          ) : drawn === null || size === null ? (
            <Undrawn error={error} drawAgain={drawAgain} />
          ) : (
            <Flow drawn={drawn} overlay={compared ? null : marked} camera={camera} size={size} />
          )}
          {error === null || drawn === null ? null : <StaleDrawing error={error} drawAgain={drawAgain} />}
          {progress.state === "drawing" && progress.slowSince !== null ? <SlowDrawing since={progress.slowSince} stop={stop} /> : null}
          {drawing === null ? null : <Names drawing={drawing} />}
        </div>
        {drawing === null || !rail ? null : (
          <Stack as="aside" rigid className={styles.rail} aria-label="Minimap and blocks">
            <MiniMap drawing={drawing} camera={camera} />
            <BlockList />
          </Stack>
        )}
      </Row>
      {drawing === null || tight ? null : <Legend drawing={drawing} compare={drawn?.compare ?? null} overlay={overlay} />}
    </Stack>
  );
}

function SlowDrawing({ since, stop }: { readonly since: number; readonly stop: () => void }) {
  return (
    <Row gap={2} pad={[1, 2]} className={cx(styles.slow, "boxed quiet num")} role="status" data-testid="drawing">
      <span>Drawing the graph…</span>
      <Elapsed key={since} since={since} />
      <Button title="Stop drawing; you can step through the phase without the graph" onClick={stop}>
        Stop
      </Button>
    </Row>
  );
}

function Undrawn({ error, drawAgain }: { readonly error: string | null; readonly drawAgain: () => void }) {
  if (error === null) return <EmptyState title="Drawing the graph…" />;
  return (
    <EmptyState title={`The graph could not be drawn: ${error}`}>
      <Button onClick={drawAgain}>Draw it again</Button>
    </EmptyState>
  );
}

/** The previous graph is on screen: the requested one could not be drawn. */
function StaleDrawing({ error, drawAgain }: { readonly error: string; readonly drawAgain: () => void }) {
  const session = useSessionObject();
  const opened = useSession((s) => s.graph.opened.size > 0);
  return (
    <Row gap={2} pad={[1, 2]} className={cx(styles.slow, "boxed quiet")} role="alert">
      <span>The graph could not be drawn: {error}</span>
      {opened ? (
        <Button onClick={() => closeRegions(session)}>Close the opened regions</Button>
      ) : (
        <Button onClick={drawAgain}>Draw it again</Button>
      )}
    </Row>
  );
}

function Stopped({ drawAgain }: { readonly drawAgain: () => void }) {
  const { view } = useActions();
  return (
    <EmptyState title="Drawing the graph was stopped.">
      <p>
        You can step through the phase without it. The outline lists the same blocks. The graph bar above can reduce the number of blocks to
        draw.
      </p>
      <Row as="p" gap={2}>
        <Button onClick={drawAgain}>Draw it again</Button>
        <Button onClick={() => view.set({ centre: "outline" })}>Show the outline</Button>
      </Row>
    </EmptyState>
  );
}

/** The map and the list of blocks: their width, the least size of the pane that has room for them, and the fewest blocks with which they help. */
const RAIL = { width: 140, room: 560, height: 320, blocks: 25 } as const;
/** Nearly everything fits while reading: a map would show nothing new. */
const READABLE = 0.6;
const WHOLE = 0.3;

/** Whether the map and the list of blocks may be next to the graph: decided by sizes, so that zooming never changes the graph's room. */
function useMayHaveRail(): (blocks: number, pane: Size) => boolean {
  const wanted = useSession((s) => s.graph.minimap);
  // For an audience there is the graph and the sentence.
  const presents = useSession((s) => s.view.preset === "present");
  return useCallback(
    (blocks, { width, height }) => wanted && !presents && blocks >= RAIL.blocks && width >= RAIL.room && height >= RAIL.height,
    [wanted, presents],
  );
}

/** Does not nearly fit, so that a map of it helps. */
function isLarge(drawing: Drawing, room: Size): boolean {
  const { width, height } = drawing.layout.bounds;
  // Two graphs side by side are shown completely, smaller than a single one.
  const least = drawing.sides === undefined ? READABLE : WHOLE;
  return width * least > room.width || height * least > room.height;
}

/** One line more or less under the drawing does not count as a different size. */
const SAME_SIZE = 24;
/** While the user drags an edge of the pane, the drawing waits. */
const REST_MS = 150;

/** What a drawing is fitted into: the pane under its bar, with the row of a legend that the program before had. */
function roomOf(pane: HTMLElement | null, body: HTMLElement | null): Size | null {
  if (pane === null || body === null) return null;
  const size = { width: body.clientWidth, height: pane.clientHeight - body.offsetTop };
  return size.width > 0 && size.height > 0 ? size : null;
}

/** The size of the pane once it has one, and whenever it has had a new one for a moment. */
function useSize(pane: React.RefObject<HTMLElement | null>, body: React.RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    if (element === null) return;
    let known: Size | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      const now = roomOf(element, body.current);
      const isSame = (a: number, b: number): boolean => Math.abs(a - b) < SAME_SIZE;
      if (now === null) return;
      if (known !== null && isSame(known.width, now.width) && isSame(known.height, now.height)) return;
      known = now;
      setSize(now);
    };
    look();
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      if (known === null) look();
      else timer = setTimeout(look, REST_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [pane, body]);
  return size;
}

/** The pane's size when it first has one: the first view is computed before the library is there to ask. */
function useFirstSize(canvas: React.RefObject<HTMLDivElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || size !== null) return;
    const look = (): void => {
      if (element.clientWidth > 0 && element.clientHeight > 0) setSize({ width: element.clientWidth, height: element.clientHeight });
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, size]);
  return size;
}

/** The block that must keep its place: the selected one if it can be seen, else the one nearest to the middle of the view. */
function anchorOf(before: Drawing, camera: Camera, selected: number | null): string | null {
  const pane = camera.pane();
  const view = camera.view();
  const chosen = selected === null ? null : nodeOfBlock(before, selected);
  if (selected !== null && chosen !== null && partlyInSight(chosen, view, pane)) return before.model.labels.get(selected) ?? null;
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const node of before.nodes.values()) {
    const block = node.blocks[0];
    if (node.kind !== "block" || block === undefined) continue;
    const dx = (node.x + node.width / 2) * view.zoom + view.x - pane.width / 2;
    const dy = (node.y + node.height / 2) * view.zoom + view.y - pane.height / 2;
    const distance = Math.abs(dx) + Math.abs(dy);
    if (distance < least) {
      least = distance;
      best = block;
    }
  }
  return best === null ? null : (before.model.labels.get(best) ?? null);
}

/** Lets commands reach the mounted graph. */
function useController(drawing: Drawing | null, camera: Camera): void {
  const session = useSessionObject();
  const faces = useFaceStore();
  useEffect(() => {
    if (drawing === null) return;
    return mountGraph(session, {
      zoomIn: () => camera.zoom(1.25),
      zoomOut: () => camera.zoom(0.8),
      fit: () => camera.fit(drawing),
      frame() {
        camera.start(drawing);
        const { moment } = session.store.getState().position;
        const box = moment === null ? null : focusBox(drawing, moment);
        if (box !== null && !camera.sees(box)) camera.nudge(box, drawing);
      },
      reveal(block, always) {
        const node = nodeOfBlock(drawing, block);
        if (node === null) return;
        // A requested block must be readable.
        if (always) camera.read(node, drawing);
        else if (!camera.sees(node)) camera.centre(node, drawing);
      },
      revealBoth(block) {
        const box = boxOfBoth(drawing, block);
        if (box !== null) camera.read(box, drawing);
      },
      savePicture: (format) => void savePicture(session, drawing, faces, format),
      picture: () => pictureOf(session.store.getState(), drawing, faces),
    });
  }, [drawing, camera, session, faces]);
}

function useForget(program: string | null): void {
  const session = useSessionObject();
  const before = useRef(program);
  useEffect(() => {
    if (program === null || before.current === program) return;
    if (before.current !== null) forgetProgram(session);
    before.current = program;
  }, [program, session]);
}
