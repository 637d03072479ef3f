import { describe, expect, it } from "vitest";
import { checkLinkData, EMPTY_LINK, LINK_VERSION } from "../../../links/link-data.ts";
import { inwards } from "./lights.ts";
import { fromLinkFutures, toLinkFutures } from "./link.ts";
import {
  cleared,
  type FutureTree,
  forked,
  inTreeOrder,
  interventionsOf,
  MAX_FUTURES,
  ONE_FUTURE,
  opened,
  pinned,
  ROOT,
  renamed,
  titleOf,
  treeOf,
  without,
} from "./tree.ts";

const skip = (n: number) => ({ kind: "skip", run: "49", n }) as const;
const grown = (tree: FutureTree, ...own: Parameters<typeof forked>[1]): FutureTree => {
  const next = forked(tree, own);
  if (next === null) throw new Error("too many");
  return next;
};

/** 1 skips one rewrite; 2 comes from 1; 3 comes from the root. */
function three(): FutureTree {
  const second = grown(grown(ONE_FUTURE, skip(1)), { kind: "leave-out", run: "50" });
  return grown(opened(second, ROOT), { kind: "drop", phase: "gvn-cse", condition: "leader-dominates" });
}

describe("a tree of futures", () => {
  it("a fork does what the open one does and more, and is open", () => {
    const tree = three();
    expect(tree.open).toBe(3);
    expect(tree.list.map((f) => [f.id, f.parent, f.interventions.length])).toEqual([
      [1, 0, 1],
      [2, 1, 2],
      [3, 0, 1],
    ]);
    expect([0, 1, 2, 3].map((id) => titleOf(tree, id))).toEqual([
      "Original",
      "without rewrite 1 of Value numbering",
      "without Reassociation",
      "Value numbering without the condition 'leader dominates'",
    ]);
    expect(inTreeOrder(tree).map((f) => f.id)).toEqual([1, 2, 3]);
  });

  it("the same twice is one; fuel and texts replace earlier ones", () => {
    const tree = three();
    expect(grown(opened(tree, ROOT), skip(1))).toEqual({ ...tree, open: 1 });
    const fuel = grown(ONE_FUTURE, skip(1), { kind: "fuel", run: "49", n: 4 });
    expect(interventionsOf(grown(fuel, { kind: "fuel", run: "15", n: 1 }))).toEqual([skip(1), { kind: "fuel", run: "15", n: 1 }]);
    const text = grown(ONE_FUTURE, { kind: "edit", run: "49", text: "a" });
    expect(interventionsOf(grown(text, { kind: "edit", run: "49", text: "b" }))).toEqual([{ kind: "edit", run: "49", text: "b" }]);
  });

  it("removing one leaves its children whole; clearing keeps what is pinned, open, and where they come from", () => {
    const tree = without(opened(three(), 1), 1);
    expect(tree.open).toBe(ROOT);
    expect(tree.list.map((f) => [f.id, f.parent])).toEqual([
      [2, 0],
      [3, 0],
    ]);
    expect(interventionsOf(tree, 2)).toHaveLength(2);
    expect(cleared(opened(pinned(three(), 2, true), ROOT)).list.map((f) => f.id)).toEqual([1, 2]);
    expect(cleared(three()).list.map((f) => f.id)).toEqual([3]);
  });

  it("names are of people or made; there is a limit", () => {
    expect(titleOf(renamed(three(), 1, "  mine "), 1)).toBe("mine");
    expect(titleOf(renamed(three(), 1, "Original"), 1)).toBe("Original 2");
    expect(titleOf(renamed(renamed(three(), 1, "mine"), 2, "mine"), 2)).toBe("mine 2");
    expect(titleOf(renamed(renamed(three(), 1, "mine"), 1, " "), 1)).toBe("without rewrite 1 of Value numbering");
    let tree: FutureTree = ONE_FUTURE;
    for (let n = 1; n <= MAX_FUTURES; n++) tree = grown(opened(tree, ROOT), skip(n));
    expect(forked(opened(tree, ROOT), [skip(999)])).toBeNull();
  });

  it("travels in a link, numbered anew; a link without one is read by what it does", () => {
    const tree = renamed(without(three(), 1), 2, "second");
    const data = { ...EMPTY_LINK, source: "x", interventions: [...interventionsOf(tree)], ...toLinkFutures(tree) };
    const checked = checkLinkData(LINK_VERSION, JSON.parse(JSON.stringify(data)));
    if (!checked.ok) throw new Error(checked.message);
    const read = fromLinkFutures(checked.data);
    expect(read.list.map((f) => [f.id, f.parent, titleOf(read, f.id)])).toEqual([
      [1, 0, "second"],
      [2, 0, "Value numbering without the condition 'leader dominates'"],
    ]);
    expect(read.open).toBe(2);
    expect(fromLinkFutures({ ...EMPTY_LINK, interventions: [skip(1)] })).toEqual(treeOf([skip(1)]));
    const loop = { ...data, futures: data.futures.map((f) => ({ ...f, parent: 2 })) };
    expect(checkLinkData(LINK_VERSION, loop)).toMatchObject({ ok: false });
  });
});

it("lights are asked for from the ends inwards, each once", () => {
  expect(inwards(0, 4)).toEqual([0, 4, 1, 3, 2]);
  expect(inwards(3, 3)).toEqual([3]);
});
