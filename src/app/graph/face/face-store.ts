/**
 * The faces of the open drawing: what its cards and lines show at the current step. They are a cache for drawing: they can be computed from the session, the drawing
 * and the search at any time. So they are not in the session's store, where each of up to 60 updates a second would run the selectors of the whole page.
 */

import { createStore } from "zustand/vanilla";
import type { Drawing } from "../model/drawing.ts";
import { type EdgeFace, edgeFaces, type FaceInputs, type NodeFace, nodeFaces, sameFace } from "./faces.ts";

export type Lod = "full" | "label" | "box";

/** What the faces are computed from; nothing is shown before there is a drawing. */
type Inputs = Omit<FaceInputs, "drawing"> & { readonly drawing: Drawing | null };

export interface Faces {
  readonly inputs: Inputs;
  /** A face that did not change is the same object as before, and so is the map if none did. */
  readonly nodes: ReadonlyMap<string, NodeFace>;
  readonly edges: ReadonlyMap<string, EdgeFace>;
  readonly lod: Lod;
}

export type FaceStore = ReturnType<typeof createFaceStore>;

const NOTHING: Inputs = {
  moment: null,
  drawing: null,
  selected: null,
  hovered: null,
  line: null,
  cursor: null,
  numbers: false,
  overlay: null,
  compare: null,
  matches: new Set(),
  match: null,
};

export function createFaceStore() {
  const store = createStore<Faces>()(() => ({ inputs: NOTHING, nodes: new Map(), edges: new Map(), lod: "full" }));
  return {
    store,
    node: (id: string): NodeFace | null => store.getState().nodes.get(id) ?? null,
    edge: (id: string): EdgeFace | null => store.getState().edges.get(id) ?? null,
    /** Replaces what the faces are computed from. */
    update(part: Partial<Inputs>): void {
      const { nodes, edges, ...before } = store.getState();
      const inputs = { ...before.inputs, ...part };
      const { drawing } = inputs;
      if (drawing === null) store.setState({ inputs });
      else
        store.setState({
          inputs,
          nodes: keepSame(nodes, nodeFaces({ ...inputs, drawing })),
          edges: keepSame(edges, edgeFaces({ ...inputs, drawing })),
        });
    },
    setLod(lod: Lod): void {
      if (lod !== store.getState().lod) store.setState({ lod });
    },
  };
}

function keepSame<F extends NodeFace | EdgeFace>(before: ReadonlyMap<string, F>, after: Map<string, F>): ReadonlyMap<string, F> {
  let changed = before.size !== after.size;
  for (const [id, face] of after) {
    const old = before.get(id);
    if (old !== undefined && sameFace(old, face)) after.set(id, old);
    else changed = true;
  }
  return changed ? after : before;
}

/** `full`: text can be read. `label`: name and flags. `box`: a plain rectangle. */
export function lodOf(zoom: number): Lod {
  return zoom >= 0.45 ? "full" : zoom >= 0.16 ? "label" : "box";
}
