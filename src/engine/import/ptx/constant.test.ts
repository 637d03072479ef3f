/** Constant expressions have the values that the real assembler gives them: the table was read from the data sections that ptxas 13.0 writes. */

import { expect, it } from "vitest";
import { importPtx } from "./import.ts";

const VALUES: readonly (readonly [string, bigint])[] = [
  ["~0 / 2", 0x7fffffffffffffffn],
  ["-1 / 2", 0n],
  ["-1U / 2", 0x7fffffffffffffffn],
  ["(-8) % 3", 2n],
  ["(-8 & -1) / 2", -4n],
  ["(-8 | 0) / 2", -4n],
  ["(-8 ^ 0) / 2", -4n],
  ["-8 >> 1", -4n],
  ["(.u64)-8 >> 1", 0x7ffffffffffffffcn],
  ["-8U >> 1", 0x7ffffffffffffffcn],
  ["1 << 63", -0x8000000000000000n],
  ["1 << 64", 1n],
  ["1 << 65", 2n],
  ["1 << -1", -0x8000000000000000n],
  ["-5 >> 64", -5n],
  ["-5 >> -1", -1n],
  ["(1 << 63) / 2", -0x4000000000000000n],
  ["(1U << 63) / 2", 0x4000000000000000n],
  ["0x8000000000000000 / 2", 0x4000000000000000n],
  ["9223372036854775808 / 2", 0x4000000000000000n],
  ["0x7fffffffffffffff + 1", -0x8000000000000000n],
  ["0xffffffffffffffff + 1", 0n],
  ["0x8000000000000000 * 2", 0n],
  ["-1 < 1U", 0n],
  ["-1 < 1", 1n],
  ["-1 == 0xffffffffffffffff", 1n],
  ["!5", 0n],
  ["(!5 - 1) / 2", 0n],
  ["((3 > 5) - 1) / 2", 0n],
  ["0 ? 1 : 0 ? 2 : 3", 3n],
  ["(1 ? -1 : 1U) / 2", 0n],
  ["1 || 0 && 0", 1n],
  ["1 | 2 & 3", 3n],
  ["1 < 2 == 1", 1n],
  ["2 + 3 << 1", 10n],
  ["1 << 2 + 3", 32n],
  ["5 & 3 == 3", 1n],
  ["-5 / 2", -2n],
  ["5 % -3", 5n],
  ["7 / -2", -3n],
  ["(.s64)0xffffffffffffffff / 2", 0n],
  ["(.u64)-4 / 2", 0x7ffffffffffffffen],
  ["WARP_SZ", 32n],
  ["(WARP_SZ - 33) / 2", 0n],
  ["1.5 > 1.0 ? 7 : 9", 7n],
  ["(1.5 == 1.5) + 1", 2n],
  ["(-8 % 3) / 2", 1n],
  ["-9223372036854775808 / -1", 0n],
  ["-(1U) / 2", 0x7fffffffffffffffn],
  ["0777U", 511n],
];

it.each(VALUES)("%s", (text, value) => {
  const { module, diagnostics } = importPtx(`.version 9.0\n.target sm_90\n.global .u64 x[2] = { ${text}, 1 };\n.entry k() { ret; }`);
  expect(diagnostics).toEqual([]);
  const bytes = module.symbols[0]?.init?.slice(0, 16) ?? "";
  const found = BigInt(`0x${(bytes.match(/../g) ?? []).reverse().join("")}`);
  expect(BigInt.asUintN(64, found)).toBe(BigInt.asUintN(64, value));
});
