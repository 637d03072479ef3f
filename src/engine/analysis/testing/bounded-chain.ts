/** Random chains of arithmetic on values whose upper bits are known, or not. */

import type { Prng } from "../../../base/prng.ts";

const SOURCES = [
  "S2R D, SR_TID.X",
  "S2R D, SR_TID.Y",
  "S2R D, SR_TID.Z",
  "S2R D, SR_LANEID",
  "LDG.U8 D, [RD0+16]",
  "LDG.U16 D, [RD0+18]",
  "MOV D, R0",
  "SHR.U32 D, R0, 28",
];
const OPS = [
  "IADD D, A, B",
  "IADD D, A, C",
  "ISUB D, A, C",
  "IMUL D, A, B",
  "IMUL D, A, C",
  "IMAD D, A, C, B",
  "LOP.AND D, A, B",
  "LOP.AND D, A, C",
  "LOP.OR D, A, C",
  "LOP.XOR D, A, B",
  "LOP.NOT D, A",
  "SHL D, A, S",
  "SHR.U32 D, A, S",
  "SHR.S32 D, A, S",
  "SEL D, A, B, P0",
  "SEL D, A, C, P0",
  "I2I.U32.U8 D, A",
  "I2I.S8.U8 D, A",
  "I2I.U16.S32 D, A",
  "MOV D, -A",
];
/** Its values are those of R1 up to this one, not included. */
export const CHAIN_REGISTERS = 24;
export const CHAIN_CONSTANTS = [
  0, 1, 2, 3, 7, 8, 15, 16, 20, 31, 63, 64, 65, 0xf0, 0xff, 256, 1000, 0xffff, 0x1000_0000, 0x7fff_ffff, -1, -16, -64,
];

/** A kernel that stores each of its values at the thread's own place, 128 bytes a thread from 1,024 on: `extra` makes lines of the registers before that. */
export function boundedChain(rng: Prng, extra: readonly string[] = []): string[] {
  const size = rng.pick(["64, 2, 1", "48, 1, 1", "3, 3, 3", "1, 1, 1", "20, 3"]);
  const lines = [`.kernel chain(p: RD0, x: R0) .reqntid ${size}`, "ISETP.GT P0, R0, 5"];
  for (let i = 1; i < CHAIN_REGISTERS; i++) {
    const text = i < 4 || rng.chance(0.15) ? rng.pick(SOURCES) : rng.pick(OPS);
    const names: Readonly<Record<string, string>> = {
      A: `R${rng.range(Math.max(1, i - 5), Math.max(1, i - 1))}`,
      B: `R${rng.range(1, Math.max(1, i - 1))}`,
      C: String(rng.pick(CHAIN_CONSTANTS)),
      D: `R${i}`,
      S: String(rng.below(32)),
    };
    lines.push(text.replace(/\b[ABCDS]\b/g, (n) => names[n] ?? n));
  }
  lines.push(...extra);
  lines.push("S2R R100, SR_TID.X", "S2R R101, SR_TID.Y", "S2R R102, SR_TID.Z", "S2R R103, SR_NTID.X", "S2R R104, SR_NTID.Y");
  lines.push("IMAD R105, R102, R104, R101", "IMAD R106, R105, R103, R100", "IMUL R107, R106, 128", "IMAD.WIDE RD1, R107, 1, RD0");
  for (let i = 1; i < CHAIN_REGISTERS; i++) lines.push(`STG [RD1+${1024 + 4 * i}], R${i}`);
  return [...lines, "EXIT"];
}
