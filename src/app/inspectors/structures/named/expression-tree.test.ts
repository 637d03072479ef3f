import { describe, expect, it } from "vitest";
import type { CellValue } from "../../../session/moment.ts";
import { chainTree, flattenedTree, sameLeaves } from "./expression-tree.ts";

const FLAT = new Map<string, CellValue>([
  ["l0", { text: "R2", rule: "c", number: 2 }],
  ["l1", { text: "R1", rule: "c", number: 1 }],
  ["l2", { text: "R0", rule: "c", number: 0 }],
  ["t1", { op: "ADD", inst: "IADD R4, R3, R0", below: ["t0", "l2"] }],
  ["t0", { op: "ADD", inst: "IADD R3, R2, R1", below: ["l0", "l1"] }],
]);
const CHAIN = new Map<string, CellValue>([
  ["c0", { result: "R9", left: "R0", right: "R1", op: "IADD" }],
  ["c1", { result: "R4", left: "R9", right: "R2", op: "IADD" }],
]);

describe("expression trees", () => {
  it("are linked by what is below, leaves in order", () => {
    const tree = flattenedTree(FLAT);
    const leaves = tree?.nodes.filter((n) => n.children.length === 0).sort((a, b) => a.x - b.x);
    expect(leaves?.map((n) => n.text)).toEqual(["R2", "R1", "R0"]);
    expect(tree?.nodes.find((n) => n.key === "t1")).toMatchObject({ depth: 0, x: 1.25 });
    expect(tree).toMatchObject({ width: 3, depth: 3 });
  });

  it("become a chain that leans to the left, with the same leaves", () => {
    const flat = flattenedTree(FLAT);
    const chain = chainTree(CHAIN);
    expect(chain?.nodes.find((n) => n.key === "c1")).toMatchObject({ depth: 0, text: "ADD" });
    expect(chain?.nodes.filter((n) => n.children.length === 0).map((n) => n.text)).toEqual(["R0", "R1", "R2"]);
    expect(flat !== null && chain !== null && sameLeaves(flat, chain)).toBe(true);
  });

  it("are none when cells are missing, odd or not linked", () => {
    expect(flattenedTree(new Map())).toBeNull();
    expect(flattenedTree(new Map<string, CellValue>([["t0", 5]]))).toBeNull();
    const unlinked = new Map<string, CellValue>([
      ["t0", { op: "ADD", inst: "", below: [] }],
      ["t1", { op: "ADD", inst: "", below: [] }],
    ]);
    expect(flattenedTree(unlinked)).toBeNull();
    expect(chainTree(new Map())).toBeNull();
    const round = new Map<string, CellValue>([["t0", { op: "ADD", inst: "", below: ["t0"] }]]);
    expect(flattenedTree(round)).toBeNull();
  });
});
