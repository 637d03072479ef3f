/** Gives each card and line its face: a subscriber of an id is notified of changes to that id only. */

import type { Drawing } from "../model/drawing.ts";
import { type EdgeFace, edgeFaces, type FaceInputs, type NodeFace, nodeFaces, sameFace } from "./faces.ts";

export type Lod = "full" | "label" | "box";

/** What the faces are computed from; nothing is shown before there is a drawing. */
export type FaceState = Omit<FaceInputs, "drawing"> & { readonly drawing: Drawing | null };

export interface FaceStore {
  node(id: string): NodeFace | null;
  edge(id: string): EdgeFace | null;
  /** Of cards: `n:<id>`; of lines: `e:<id>`. */
  subscribe(key: string, listener: () => void): () => void;
  /** Replaces what the faces are computed from. Listeners are called before it returns. */
  update(part: Partial<FaceState>): void;
  readonly state: FaceState;
  readonly lod: Lod;
  setLod(lod: Lod): void;
}

/** Key for changes of the level of detail. */
export const LOD_KEY = "lod";
/** Key for any change of any face: for the small map, not for components that exist a hundred times. */
export const ANY_KEY = "any";

const NOTHING: FaceState = {
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

export function createFaceStore(): FaceStore {
  const listeners = new Map<string, Set<() => void>>();
  let state: FaceState = NOTHING;
  let nodes = new Map<string, NodeFace>();
  let edges = new Map<string, EdgeFace>();
  let lod: Lod = "full";
  const tell = (key: string): void => {
    for (const listener of listeners.get(key) ?? []) listener();
  };
  const settle = <F extends NodeFace | EdgeFace>(prefix: string, before: Map<string, F>, after: Map<string, F>): string[] => {
    const changed: string[] = [];
    for (const [id, face] of after) {
      const old = before.get(id);
      if (old !== undefined && sameFace(old, face)) after.set(id, old);
      else changed.push(prefix + id);
    }
    return changed;
  };
  return {
    node: (id) => nodes.get(id) ?? null,
    edge: (id) => edges.get(id) ?? null,
    subscribe(key, listener) {
      const set = listeners.get(key) ?? new Set();
      listeners.set(key, set);
      set.add(listener);
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key);
      };
    },
    update(part) {
      state = { ...state, ...part };
      const { drawing } = state;
      if (drawing === null) return;
      const newNodes = nodeFaces({ ...state, drawing });
      const newEdges = edgeFaces({ ...state, drawing });
      const changed = [...settle("n:", nodes, newNodes), ...settle("e:", edges, newEdges)];
      nodes = newNodes;
      edges = newEdges;
      for (const key of changed) tell(key);
      if (changed.length > 0) tell(ANY_KEY);
    },
    get state() {
      return state;
    },
    get lod() {
      return lod;
    },
    setLod(next) {
      if (next === lod) return;
      lod = next;
      tell(LOD_KEY);
    },
  };
}

/** `full`: text can be read. `label`: name and flags. `box`: a plain rectangle. */
export function lodOf(zoom: number): Lod {
  return zoom >= 0.45 ? "full" : zoom >= 0.16 ? "label" : "box";
}
