/** What a pointer is on: from the marked elements of a card, or the nearest line. */

import type { Subject } from "../../engine/api/types.ts";
import type { FaceStore } from "./face/face-store.ts";
import type { Drawing, DrawnNode } from "./model/drawing.ts";

/** The card under an element, or null. */
export function cardAt(target: EventTarget | null, drawing: Drawing): DrawnNode | null {
  const id = target instanceof Element ? target.closest("[data-node]")?.getAttribute("data-node") : null;
  return id === null || id === undefined ? null : (drawing.nodes.get(id) ?? null);
}

/** The most special subject under an element of a card: register, target, instruction, block. */
export function subjectAt(target: EventTarget | null, node: DrawnNode, drawing: Drawing, faces: FaceStore): Subject | null {
  const own = node.blocks[0];
  if (own === undefined) return null;
  const attribute = (name: string): string | null =>
    target instanceof Element ? (target.closest(`[${name}]`)?.getAttribute(name) ?? null) : null;
  const reg = attribute("data-reg");
  if (reg !== null) return { kind: "reg", name: reg };
  const row = attribute("data-target");
  if (row !== null) return { kind: "edge", from: own, to: Number(row) };
  const label = attribute("data-label");
  if (label !== null) {
    const succ = faces.node(node.id)?.block?.succs.find((id) => drawing.model.labels.get(id) === label);
    if (succ !== undefined) return { kind: "edge", from: own, to: succ };
  }
  const inst = attribute("data-inst");
  if (inst !== null) return { kind: "inst", id: Number(inst) };
  return { kind: "block", id: own };
}

/** The edge of the program to select for a line: the first that exists at this step. */
export function subjectOfLine(id: string, drawing: Drawing, faces: FaceStore): Subject | null {
  const edge = drawing.edges.get(id);
  const { moment } = faces.store.getState().inputs;
  const pair = edge?.pairs.find(([from, to]) => moment?.blocks.get(from)?.succs.includes(to)) ?? edge?.pairs[0];
  return pair === undefined ? null : { kind: "edge", from: pair[0], to: pair[1] };
}
