/** The graph's keys: arrows move along edges, Enter selects and moves into a block's instructions, Escape returns. */

import { type KeyboardEvent, type RefObject, useRef } from "react";
import type { InstView, Subject } from "../../engine/api/types.ts";
import type { Box } from "../../layout/types.ts";
import { useSessionObject } from "../session/hooks.ts";
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

export function useKeyboard(
  drawing: Drawing | null,
  faces: FaceStore,
  camera: Camera,
  select: (subject: Subject | null) => void,
  say: RefObject<HTMLElement | null>,
): GraphKeys {
  const session = useSessionObject();
  const { store, actions } = session;
  const place = useRef<{ at: string | null; trail: readonly string[] }>({ at: null, trail: [] });
  const onBlur = (): void => faces.update({ cursor: null });
  const placeAt = (node: string): void => {
    place.current = { at: node, trail: [] };
    faces.update({ cursor: null });
  };
  if (drawing === null) return { onKeyDown: () => undefined, onFocus: () => undefined, onBlur, placeAt };

  const nodeAt = (id: string | null): DrawnNode | null => (id === null ? null : (drawing.nodes.get(id) ?? null));
  const start = (): DrawnNode | null => {
    const block = selectedBlock(store.getState());
    return nodeAt(place.current.at) ?? (block === null ? null : nodeOfBlock(drawing, block));
  };
  const entry = (): DrawnNode | null => nodeOfBlock(drawing, drawing.model.union.entry) ?? drawing.nodes.values().next().value ?? null;

  const show = (box: Box | null, text: string): void => {
    if (box !== null && !camera.sees(box)) camera.nudge(box, drawing);
    if (say.current !== null) say.current.textContent = text;
  };
  const goTo = (node: DrawnNode | null): void => {
    if (node === null) return;
    place.current.at = node.id;
    faces.update({ cursor: node.id });
    if (node.kind === "block") actions.selection.hover({ kind: "block", id: node.blocks[0] ?? -1 });
    show(node, describeNode(node, faces.node(node.id), drawing.model.labels));
  };
  const selectInst = ({ id, text }: InstView): void => {
    select({ kind: "inst", id });
    show(subjectBox(drawing, store.getState().position.moment, { kind: "inst", id }), text);
  };

  const follow = (arrow: Arrow): void => {
    const from = start();
    if (from === null) {
      goTo(entry());
      return;
    }
    if ((arrow === "up" || arrow === "down") && moveInst(from, arrow === "up" ? -1 : 1)) return;
    const { trail } = place.current;
    const to = nodeAt(moveFrom(drawing, from.id, arrow, (edge) => faces.edge(edge.id)?.present ?? false, trail));
    if (to === null) return;
    place.current.trail = [...trail.filter((id) => id !== to.id), from.id].slice(-MAX_TRAIL);
    goTo(to);
  };
  /** Inside a block, up and down go from instruction to instruction. */
  const moveInst = (from: DrawnNode, by: 1 | -1): boolean => {
    const { selected } = store.getState().selection;
    const insts = faces.node(from.id)?.block?.insts ?? [];
    const at = selected?.kind === "inst" ? insts.findIndex(({ id }) => id === selected.id) : -1;
    const inst = insts[at + by];
    if (at >= 0 && inst !== undefined) selectInst(inst);
    return at >= 0;
  };
  const enter = ({ id, kind, blocks: [block] }: DrawnNode): void => {
    if (block === undefined || kind === "table") return;
    if (kind === "region") {
      openRegion(session, id);
      return;
    }
    const { selected } = store.getState().selection;
    const first = faces.node(id)?.block?.insts[0];
    if (kind === "block" && selected?.kind === "block" && selected.id === block && first !== undefined) selectInst(first);
    else select({ kind: "block", id: block });
    if (kind === "stub") place.current.at = null;
  };

  return {
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
      const arrow = ARROWS[event.key];
      const node = nodeAt(place.current.at);
      const page = camera.pane().height * 0.8;
      if (arrow !== undefined && event.shiftKey) camera.pan(...arrow.pan);
      else if (arrow !== undefined) follow(arrow.to);
      else if (event.key === "Enter" && node !== null) enter(node);
      else if (event.key === "Home") goTo(entry());
      else if (event.key === "PageDown") camera.pan(0, -page);
      else if (event.key === "PageUp") camera.pan(0, page);
      else if (event.key === "Escape" && store.getState().selection.selected?.kind === "inst" && node?.kind === "block")
        select({ kind: "block", id: node.blocks[0] ?? -1 });
      else return;
      event.preventDefault();
    },
    onFocus() {
      // Shown only to those who came by keyboard.
      if (document.activeElement?.matches(":focus-visible")) goTo(start());
    },
    onBlur,
    placeAt,
  };
}
