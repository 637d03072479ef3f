import { describe, expect, it } from "vitest";
import { BLOCK_FLAG, BLOCK_FLAG2, FUNC_FLAG, FUNC_FLAG_OFFSETS } from "../../../engine/ir/flags.ts";
import { FLAG_BITS, FLAG2_BITS, FUNCTION_BITS } from "./fields.ts";

const table = (bits: readonly { name: string; mask: number }[]) => Object.fromEntries(bits.map((b) => [b.name, b.mask]));

describe("the record's bits", () => {
  it("are the engine's", () => {
    expect(table(FLAG_BITS)).toEqual(BLOCK_FLAG);
    expect(table(FLAG2_BITS)).toEqual(BLOCK_FLAG2);
    expect(table(FUNCTION_BITS)).toEqual(FUNC_FLAG);
    expect(Object.fromEntries(FUNCTION_BITS.map((b) => [b.name, [b.offset, b.byteMask]]))).toEqual(FUNC_FLAG_OFFSETS);
  });
});
