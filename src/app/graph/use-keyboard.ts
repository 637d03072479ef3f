/** The graph's keys: arrows move along edges, Enter selects and moves into a block's instructions, Escape returns. */

import { type KeyboardEvent, type RefObject, useRef } from "react";
import type { InstView, Subject } from "../../engine/api/types.ts";
import type { Box } from "../../layout/types.ts";
import { useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { selectedBlock } from "./commands.ts";
import { describeNode } from "./describe.ts";
import type { FaceStore } from "./face/face-store.ts";
import { openRegion } from "./graph-view.ts";
import { type Arrow, moveFrom } from "./keyboard.ts";
import { type Drawing, type DrawnNode, nodeOfBlock } from "./model/drawing.ts";
import type { Camera } from "./use-camera.ts";
import { subjectBox } from "./use-follow.ts";

/** Where an arrow leads, and how far the view moves with Shift. */
const ARROWS: Readonly<Record<string, { readonly to: Arrow; readonly pan: readonly [dx: number, dy: number] }>> = {
  ArrowUp: { to: "up", pan: [0, 80] },
  ArrowDown: { to: "down", pan: [0, -80] },
  ArrowLeft: { to: "left", pan: [80, 0] },
  ArrowRight: { to: "right", pan: [-80, 0] },
};
const MAX_TRAIL = 64;

export interface GraphKeys {
  onKeyDown(event: KeyboardEvent): void;
  onFocus(): void;
  onBlur(): void;
  /** A press of the pointer moves the keyboard's place, too. */
  placeAt(node: string): void;
}

/** What the keys act on. */
interface Walk {
  readonly drawing: Drawing;
  readonly faces: FaceStore;
  readonly camera: Camera;
  readonly session: Session;
  readonly select: (subject: Subject | null) => void;
  readonly say: RefObject<HTMLElement | null>;
  readonly place: Place;
}

/** The card at the keyboard's place, and those it came from. */
interface Place {
  at: string | null;
  trail: readonly string[];
}

export function useKeyboard(
  drawing: Drawing | null,
  faces: FaceStore,
  camera: Camera,
  select: (subject: Subject | null) => void,
  say: RefObject<HTMLElement | null>,
): GraphKeys {
  const session = useSessionObject();
  const place = useRef<Place>({ at: null, trail: [] });
  const onBlur = (): void => faces.update({ cursor: null });
  const placeAt = (node: string): void => {
    place.current = { at: node, trail: [] };
    faces.update({ cursor: null });
  };
  if (drawing === null) return { onKeyDown: () => undefined, onFocus: () => undefined, onBlur, placeAt };
  const walk = (): Walk => ({ drawing, faces, camera, session, select, say, place: place.current });
  return {
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
      if (actOn(event, walk())) event.preventDefault();
    },
    onFocus() {
      // Shown only to those who came by keyboard.
      if (document.activeElement?.matches(":focus-visible")) goTo(walk(), start(walk()));
    },
    onBlur,
    placeAt,
  };
}

/** Does what the key means; false: nothing. */
function actOn({ key, shiftKey }: KeyboardEvent, walk: Walk): boolean {
  const { camera, session, select } = walk;
  const arrow = ARROWS[key];
  const node = nodeAt(walk, walk.place.at);
  const page = camera.pane().height * 0.8;
  if (arrow !== undefined && shiftKey) camera.pan(...arrow.pan);
  else if (arrow !== undefined) follow(walk, arrow.to);
  else if (key === "Enter" && node !== null) enter(walk, node);
  else if (key === "Home") goTo(walk, entry(walk));
  else if (key === "PageDown") camera.pan(0, -page);
  else if (key === "PageUp") camera.pan(0, page);
  else if (key === "Escape" && session.store.getState().selection.selected?.kind === "inst" && node?.kind === "block")
    select({ kind: "block", id: node.blocks[0] ?? -1 });
  else return false;
  return true;
}

const nodeAt = ({ drawing }: Walk, id: string | null): DrawnNode | null => (id === null ? null : (drawing.nodes.get(id) ?? null));

function start(walk: Walk): DrawnNode | null {
  const block = selectedBlock(walk.session.store.getState());
  return nodeAt(walk, walk.place.at) ?? (block === null ? null : nodeOfBlock(walk.drawing, block));
}

const entry = ({ drawing }: Walk): DrawnNode | null =>
  nodeOfBlock(drawing, drawing.model.union.entry) ?? drawing.nodes.values().next().value ?? null;

function show({ drawing, camera, say }: Walk, box: Box | null, text: string): void {
  if (box !== null && !camera.sees(box)) camera.nudge(box, drawing);
  if (say.current !== null) say.current.textContent = text;
}

function goTo(walk: Walk, node: DrawnNode | null): void {
  if (node === null) return;
  const { drawing, faces, session, place } = walk;
  place.at = node.id;
  faces.update({ cursor: node.id });
  if (node.kind === "block") session.actions.selection.hover({ kind: "block", id: node.blocks[0] ?? -1 });
  show(walk, node, describeNode(node, faces.node(node.id), drawing.model.labels));
}

function selectInst(walk: Walk, { id, text }: InstView): void {
  walk.select({ kind: "inst", id });
  show(walk, subjectBox(walk.drawing, walk.session.store.getState().position.moment, { kind: "inst", id }), text);
}

function follow(walk: Walk, arrow: Arrow): void {
  const { drawing, faces, place } = walk;
  const from = start(walk);
  if (from === null) {
    goTo(walk, entry(walk));
    return;
  }
  if ((arrow === "up" || arrow === "down") && moveInst(walk, from, arrow === "up" ? -1 : 1)) return;
  const { trail } = place;
  const to = nodeAt(
    walk,
    moveFrom(drawing, from.id, arrow, (edge) => faces.edge(edge.id)?.present ?? false, trail),
  );
  if (to === null) return;
  place.trail = [...trail.filter((id) => id !== to.id), from.id].slice(-MAX_TRAIL);
  goTo(walk, to);
}

/** Inside a block, up and down go from instruction to instruction. */
function moveInst(walk: Walk, from: DrawnNode, by: 1 | -1): boolean {
  const { selected } = walk.session.store.getState().selection;
  const insts = walk.faces.node(from.id)?.block?.insts ?? [];
  const at = selected?.kind === "inst" ? insts.findIndex(({ id }) => id === selected.id) : -1;
  const inst = insts[at + by];
  if (at >= 0 && inst !== undefined) selectInst(walk, inst);
  return at >= 0;
}

function enter(walk: Walk, { id, kind, blocks: [block] }: DrawnNode): void {
  const { faces, session, select, place } = walk;
  if (block === undefined || kind === "table") return;
  if (kind === "region") {
    openRegion(session, id);
    return;
  }
  const { selected } = session.store.getState().selection;
  const first = faces.node(id)?.block?.insts[0];
  if (kind === "block" && selected?.kind === "block" && selected.id === block && first !== undefined) selectInst(walk, first);
  else select({ kind: "block", id: block });
  if (kind === "stub") place.at = null;
}
