/** Keeps the step's subject, and what was selected elsewhere, in view. */

import { type RefObject, useEffect, useRef } from "react";
import type { Subject } from "../../engine/api/types.ts";
import type { Box } from "../../layout/types.ts";
import { useSessionObject } from "../session/hooks.ts";
import { blockOfInst, type MomentState } from "../session/moment.ts";
import { type Drawing, nodeOfBlock, type Side } from "./model/drawing.ts";
import { type Camera, rowBox } from "./use-camera.ts";

/** `own` contains the subject that was last selected in the graph itself: it is already visible. */
export function useFollow(drawing: Drawing | null, camera: Camera, own: RefObject<Subject | null>): void {
  const { store } = useSessionObject();
  /** The last step: its blocks may be in a drawing that is not finished. */
  const taken = useRef<{ readonly to: MomentState | null; readonly from: MomentState | null } | null>(null);
  useEffect(() => {
    if (drawing === null) return;
    const followStep = (moment: MomentState | null, before: MomentState | null): void => {
      const { follow, mode } = store.getState().graph;
      // What is compared is not what is stepped through.
      if (moment === null || !follow || mode === "pair") return;
      const box = focusBox(drawing, moment, sideInView(drawing, camera));
      if (box !== null) camera.keep(box, drawing);
      // Of two graphs side by side something is visible, and what is new is marked.
      else if (drawing.sides === undefined) showLiving(drawing, camera, moment, madeBlocks(before, moment));
    };
    // A new drawing may have moved it, or be the first that has it.
    const { moment } = store.getState().position;
    followStep(moment, taken.current?.to === moment ? taken.current.from : null);
    taken.current = null;
    return store.subscribe((state, before) => {
      const [to, from] = [state.position.moment, before.position.moment];
      if (to !== from) {
        taken.current = { to, from };
        followStep(to, from);
      }
      const { selected } = state.selection;
      if (selected === before.selection.selected || selected === null || selected === own.current) return;
      const box = subjectBox(drawing, state.position.moment, selected, sideInView(drawing, camera));
      if (box !== null && !camera.sees(box)) camera.centre(box, drawing);
    });
  }, [drawing, camera, own, store]);
}

/** Of two graphs side by side the one in view: a step is shown there, and does not move the view to the other. */
function sideInView({ sides }: Drawing, camera: Camera): Side | null {
  if (sides === undefined) return null;
  const { x, zoom } = camera.view();
  const middle = (camera.pane().width / 2 - x) / zoom;
  return middle < (sides[1]?.bounds.x ?? 0) ? "before" : "after";
}

/** What the event is about: an instruction's row, else a block, else where an edge starts. */
export function focusBox(drawing: Drawing, moment: MomentState, side: Side | null = null): Box | null {
  const focus = moment.event?.focus;
  const inst = focus?.insts?.[0] ?? focus?.operands?.[0]?.[0];
  const block = focus?.blocks?.[0];
  if (inst !== undefined) {
    const box = subjectBox(drawing, moment, { kind: "inst", id: inst }, side);
    if (box !== null) return box;
  }
  if (block !== undefined) return nodeOfBlock(drawing, block, side);
  const edge = focus?.edges?.[0];
  return edge === undefined ? null : nodeOfBlock(drawing, edge[0], side);
}

/** What exists now and did not before: a step, or a leap over many, has made it. */
export function madeBlocks(before: MomentState | null, now: MomentState | null): readonly number[] {
  if (before === null || now === null || before.run !== now.run || before.blocks === now.blocks) return [];
  return [...now.blocks.keys()].filter((id) => !before.blocks.has(id));
}

/** Brings something new into sight if nothing new is, or else something that exists, if nothing that exists is. */
function showLiving(drawing: Drawing, camera: Camera, moment: MomentState, made: readonly number[]): void {
  const cards = (ids: Iterable<number>): readonly Box[] => [...ids].flatMap((id) => nodeOfBlock(drawing, id) ?? []);
  const fresh = cards(made);
  const [first] = fresh;
  if (first !== undefined) {
    if (!fresh.some((box) => camera.sees(box))) camera.nudge(first, drawing);
    return;
  }
  const living = cards(moment.blocks.keys());
  const entry = nodeOfBlock(drawing, moment.entry);
  if (entry !== null && !living.some((box) => camera.partlySees(box))) camera.nudge(entry, drawing);
}

export function subjectBox(drawing: Drawing, moment: MomentState | null, subject: Subject, side: Side | null = null): Box | null {
  switch (subject.kind) {
    case "block":
      return nodeOfBlock(drawing, subject.id, side);
    case "edge":
      return nodeOfBlock(drawing, subject.from, side);
    case "inst": {
      const block = moment === null ? null : blockOfInst(moment, subject.id);
      const card = block === null ? null : nodeOfBlock(drawing, block.id, side);
      if (block === null || card === null) return null;
      return card.kind === "block"
        ? rowBox(
            card,
            block.insts.findIndex((i) => i.id === subject.id),
          )
        : card;
    }
    case "reg":
    case "node":
      return null;
  }
}
