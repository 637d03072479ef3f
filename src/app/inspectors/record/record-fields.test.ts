import { describe, expect, it } from "vitest";
import type { BlockView } from "../../../engine/api/types.ts";
import { BLOCK_FLAG, BLOCK_FLAG_RESET_MASK, BLOCK_FLAG2, FUNC_FLAG, FUNC_FLAG_OFFSETS } from "../../../engine/ir/flags.ts";
import { FLAG_BITS, FLAG2_BITS, FUNCTION_BITS, latchExitMeaning, RESET_MASK, successorList } from "../../names/record-fields.ts";
import { BIT_READERS } from "./readers.ts";

const table = (bits: readonly { name: string; mask: number }[]) => Object.fromEntries(bits.map((b) => [b.name, b.mask]));

describe("the record's bits", () => {
  it("are the engine's", () => {
    expect(table(FLAG_BITS)).toEqual(BLOCK_FLAG);
    expect(table(FLAG2_BITS)).toEqual(BLOCK_FLAG2);
    expect(RESET_MASK).toBe(BLOCK_FLAG_RESET_MASK);
    expect(BIT_READERS.map(({ bit }) => bit)).toEqual(Object.keys(BLOCK_FLAG));
    expect(table(FUNCTION_BITS)).toEqual(FUNC_FLAG);
    expect(Object.fromEntries(FUNCTION_BITS.map((b) => [b.name, [b.offset, b.byteMask]]))).toEqual(FUNC_FLAG_OFFSETS);
  });
});

const block = (record: Partial<BlockView>): BlockView => ({ label: "B", succs: [1, 2], ...record }) as BlockView;

describe("the record's fields", () => {
  it("tell the two uses of +152 apart by the number, not by an assumed LOOP_HEADER", () => {
    const header = BLOCK_FLAG.LOOP_HEADER;
    expect(latchExitMeaning(block({ rpo: 2, latchExit: 0, flags: header }))).toBeNull();
    expect(latchExitMeaning(block({ rpo: 2, latchExit: 5, flags: header }))).toContain("furthest latch (this is a loop header)");
    expect(latchExitMeaning(block({ rpo: 5, latchExit: 2, flags: 0 }))).toBe("smallest RPO that this block jumps back to");
    expect(latchExitMeaning(block({ rpo: 5, latchExit: 2, flags: header }))).toContain("still only assumed");
    expect(latchExitMeaning(block({ rpo: 5, latchExit: 5, flags: header }))).toContain("jumps back to itself");
  });

  it("show of the successor list what the running analysis has registered", () => {
    const all = ["C", "D"];
    const lists = new Map([
      ["B", 1],
      ["B → D", 1],
    ]);
    expect(successorList(block({}), all, FUNC_FLAG.REENTRY_GUARD, lists)).toEqual(["D"]);
    expect(successorList(block({ label: "kept" }), all, FUNC_FLAG.REENTRY_GUARD, lists)).toEqual(all);
    expect(successorList(block({}), all, 0, lists)).toEqual(all);
  });
});
