/** React hooks for the faces: each component subscribes to its own only. */

import { createContext, useContext, useSyncExternalStore } from "react";
import { ANY_KEY, type FaceStore, LOD_KEY, type Lod } from "./face-store.ts";
import type { EdgeFace, NodeFace } from "./faces.ts";

const FaceContext = createContext<FaceStore | null>(null);

export const FaceProvider = FaceContext.Provider;

export function useFaceStore(): FaceStore {
  const store = useContext(FaceContext);
  if (store === null) throw new Error("a part of the graph outside of it");
  return store;
}

export function useNodeFace(id: string): NodeFace | null {
  const store = useFaceStore();
  return useSyncExternalStore(
    (listener) => store.subscribe(`n:${id}`, listener),
    () => store.node(id),
  );
}

export function useEdgeFace(id: string): EdgeFace | null {
  const store = useFaceStore();
  return useSyncExternalStore(
    (listener) => store.subscribe(`e:${id}`, listener),
    () => store.edge(id),
  );
}

export function useLod(): Lod {
  const store = useFaceStore();
  return useSyncExternalStore(
    (listener) => store.subscribe(LOD_KEY, listener),
    () => store.lod,
  );
}

/** Calls back after any change of any face. Returns a function that stops it. */
export function onAnyFace(store: FaceStore, listener: () => void): () => void {
  return store.subscribe(ANY_KEY, listener);
}
