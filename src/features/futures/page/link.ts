/** Converts between the tree of futures and its form in a link. The interventions of the open one are those of the pipeline. */

import type { WorkPart } from "../../../app/session/work-part.ts";
import type { LinkData } from "../../../links/link-data.ts";
import { type Future, type FutureTree, ROOT, treeOf } from "./tree.ts";

/** Parents are named by their places in the list, from 1: numbers of futures that were removed mean nothing to anybody else. */
export function toLinkFutures(tree: FutureTree): Pick<LinkData, "futures" | "future"> {
  const placeOf = (id: number): number => tree.list.findIndex((f) => f.id === id) + 1;
  return {
    futures: tree.list.map(({ name, parent, pinned, interventions }) => ({
      name,
      parent: placeOf(parent),
      pinned,
      interventions: interventions.map((i) => ({ ...i })),
    })),
    future: placeOf(tree.open),
  };
}

/** For a link without a tree, one is made from its changes. */
export function fromLinkFutures({ futures, future, interventions }: LinkData): FutureTree {
  if (futures.length === 0) return treeOf(interventions);
  const list = futures.map((f, i): Future => ({ ...f, id: i + 1 }));
  return { list, open: future <= list.length ? future : ROOT };
}

export const FUTURES_WORK: WorkPart = {
  write: ({ futures }) => toLinkFutures(futures),
  open: (data) => ({ futures: fromLinkFutures(data) }),
  changed: ({ futures }, { futures: before }) => futures !== before,
  made: ({ futures }, { futures: opened }) => futures.list !== opened.list,
  typed: ({ futures }) => [futures.list],
};
