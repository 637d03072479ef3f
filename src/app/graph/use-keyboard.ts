/** The graph's keys: arrows move along edges, Enter selects and moves into a block's instructions, Escape returns. */

import { type KeyboardEvent, type RefObject, useRef } from "react";
import type { Subject } from "../../engine/api/types.ts";
import { useSessionObject } from "../session/hooks.ts";
import { selectedBlock } from "./commands.ts";
import { describeNode } from "./describe.ts";
import type { FaceStore } from "./face/face-store.ts";
import { openRegion } from "./graph-view.ts";
import { type Arrow, moveFrom } from "./keyboard.ts";
import { type Drawing, type DrawnNode, nodeOfBlock } from "./model/drawing.ts";
import type { Camera } from "./use-camera.ts";
import { subjectBox } from "./use-follow.ts";

const ARROWS: Readonly<Record<string, Arrow>> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
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
  const place = useRef<{ at: string | null; trail: string[] }>({ at: null, trail: [] });

  const start = (d: Drawing): string | null => {
    const { at } = place.current;
    if (at !== null && d.nodes.has(at)) return at;
    const block = selectedBlock(store.getState());
    return block === null ? null : (nodeOfBlock(d, block)?.id ?? null);
  };
  const goTo = (d: Drawing, id: string): void => {
    const node = d.nodes.get(id);
    if (node === undefined) return;
    place.current.at = id;
    faces.update({ cursor: id });
    if (node.kind === "block") actions.selection.hover({ kind: "block", id: node.blocks[0] ?? -1 });
    if (!camera.sees(node)) camera.nudge(node, d);
    if (say.current !== null) say.current.textContent = describeNode(node, faces.node(id), d.model.labels);
  };
  const entryOf = (d: Drawing): string | null => nodeOfBlock(d, d.model.union.entry)?.id ?? d.nodes.keys().next().value ?? null;

  const arrow = (d: Drawing, which: Arrow): void => {
    const from = start(d);
    if (from === null) {
      const entry = entryOf(d);
      if (entry !== null) goTo(d, entry);
      return;
    }
    if ((which === "up" || which === "down") && moveInst(d, from, which)) return;
    const { trail } = place.current;
    const to = moveFrom(d, from, which, (edge) => faces.edge(edge.id)?.present ?? false, trail);
    if (to === null) return;
    place.current.trail = [...trail.filter((id) => id !== to), from].slice(-MAX_TRAIL);
    goTo(d, to);
  };
  /** Inside a block, up and down go from instruction to instruction. */
  const moveInst = (d: Drawing, from: string, which: "up" | "down"): boolean => {
    const { selected } = store.getState().selection;
    const block = faces.node(from)?.block;
    if (selected?.kind !== "inst" || block === undefined || block === null) return false;
    const at = block.insts.findIndex((i) => i.id === selected.id);
    if (at < 0) return false;
    const inst = block.insts[at + (which === "down" ? 1 : -1)];
    if (inst !== undefined) selectInst(d, inst.id, inst.text);
    return true;
  };
  const selectInst = (d: Drawing, id: number, text: string): void => {
    select({ kind: "inst", id });
    const box = subjectBox(d, store.getState().position.moment, { kind: "inst", id });
    if (box !== null && !camera.sees(box)) camera.nudge(box, d);
    if (say.current !== null) say.current.textContent = text;
  };
  const enter = (d: Drawing, node: DrawnNode): void => {
    const block = node.blocks[0];
    if (block === undefined) return;
    if (node.kind === "region") {
      openRegion(session, node.id);
      return;
    }
    if (node.kind === "table") return;
    const { selected } = store.getState().selection;
    const first = faces.node(node.id)?.block?.insts[0];
    if (node.kind === "block" && selected?.kind === "block" && selected.id === block && first !== undefined)
      selectInst(d, first.id, first.text);
    else select({ kind: "block", id: block });
    if (node.kind === "stub") place.current.at = null;
  };

  return {
    onKeyDown(event) {
      if (drawing === null || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
      const which = ARROWS[event.key];
      const node = place.current.at === null ? undefined : drawing.nodes.get(place.current.at);
      const { selected } = store.getState().selection;
      if (which !== undefined && !event.shiftKey) arrow(drawing, which);
      else if (which !== undefined)
        camera.pan(which === "left" ? 80 : which === "right" ? -80 : 0, which === "up" ? 80 : which === "down" ? -80 : 0);
      else if (event.key === "Enter" && node !== undefined) enter(drawing, node);
      else if (event.key === "Home") {
        const entry = entryOf(drawing);
        if (entry !== null) goTo(drawing, entry);
      } else if (event.key === "PageDown" || event.key === "PageUp")
        camera.pan(0, camera.pane().height * (event.key === "PageDown" ? -0.8 : 0.8));
      else if (event.key === "Escape" && selected?.kind === "inst" && node?.kind === "block")
        select({ kind: "block", id: node.blocks[0] ?? -1 });
      else return;
      event.preventDefault();
    },
    onFocus() {
      // Shown only to those who came by keyboard.
      if (drawing !== null && document.activeElement?.matches(":focus-visible")) {
        const at = start(drawing);
        if (at !== null) goTo(drawing, at);
      }
    },
    onBlur: () => faces.update({ cursor: null }),
    placeAt(node) {
      place.current = { at: node, trail: [] };
      faces.update({ cursor: null });
    },
  };
}
