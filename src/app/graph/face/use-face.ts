/** React hooks for the faces: each component renders again only when its own face changes. */

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { FaceStore, Faces, Lod } from "./face-store.ts";
import type { EdgeFace, NodeFace } from "./faces.ts";

const FaceContext = createContext<FaceStore | null>(null);

export const FaceProvider = FaceContext.Provider;

export function useFaceStore(): FaceStore {
  const store = useContext(FaceContext);
  if (store === null) throw new Error("a part of the graph outside of it");
  return store;
}

const useFaces = <T>(selector: (faces: Faces) => T): T => useStore(useFaceStore().store, selector);

export const useNodeFace = (id: string): NodeFace | null => useFaces((s) => s.nodes.get(id) ?? null);

export const useEdgeFace = (id: string): EdgeFace | null => useFaces((s) => s.edges.get(id) ?? null);

export const useLod = (): Lod => useFaces((s) => s.lod);

/** Calls back after any change of any face. Returns a function that stops it. */
export function onAnyFace({ store }: FaceStore, listener: () => void): () => void {
  return store.subscribe(({ nodes, edges }, before) => {
    if (nodes !== before.nodes || edges !== before.edges) listener();
  });
}
