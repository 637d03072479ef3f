import { describe, expect, it } from "vitest";
import { runKernel } from "../interp/interpreter.ts";
import { placeBuffers } from "../interp/memory.ts";
import { createPrng, type Prng } from "../interp/prng.ts";
import type { BlockId } from "../ir/ids.ts";
import { reg } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { freshSeed } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { lastOf, leadingBits } from "./leading-bits.ts";
import { reachingDefs } from "./reaching-defs.ts";

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
const REGISTERS = 24;
const CONSTANTS = [0, 1, 2, 3, 7, 8, 15, 16, 20, 31, 63, 64, 65, 0xf0, 0xff, 256, 1000, 0xffff, 0x1000_0000, 0x7fff_ffff, -1, -16, -64];

function chain(rng: Prng): string {
  const size = rng.pick(["64, 2, 1", "48, 1, 1", "3, 3, 3", "1, 1, 1", "20, 3"]);
  const lines = [`.kernel chain(p: RD0, x: R0) .reqntid ${size}`, "ISETP.GT P0, R0, 5"];
  for (let i = 1; i < REGISTERS; i++) {
    const text = i < 4 || rng.chance(0.15) ? rng.pick(SOURCES) : rng.pick(OPS);
    const names: Readonly<Record<string, string>> = {
      A: `R${rng.range(Math.max(1, i - 5), Math.max(1, i - 1))}`,
      B: `R${rng.range(1, Math.max(1, i - 1))}`,
      C: String(rng.pick(CONSTANTS)),
      D: `R${i}`,
      S: String(rng.below(32)),
    };
    lines.push(text.replace(/\b[ABCDS]\b/g, (n) => names[n] ?? n));
  }
  lines.push("S2R R100, SR_TID.X", "S2R R101, SR_TID.Y", "S2R R102, SR_TID.Z", "S2R R103, SR_NTID.X", "S2R R104, SR_NTID.Y");
  lines.push("IMAD R105, R102, R104, R101", "IMAD R106, R105, R103, R100", "IMUL R107, R106, 128", "IMAD.WIDE RD1, R107, 1, RD0");
  for (let i = 1; i < REGISTERS; i++) lines.push(`STG [RD1+${1024 + 4 * i}], R${i}`);
  return [...lines, "EXIT"].join("\n");
}

describe("leading bits", () => {
  it("hold for every value that a run computes", () => {
    const seed = freshSeed();
    let known = 0;
    for (let n = 0; n < 150; n++) {
      const rng = createPrng(seed + n);
      const text = chain(rng);
      const { module, diagnostics } = parseModule(text);
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      const fn = module.funcs[0] as Func;
      const [buffer] = placeBuffers([{ name: "p", size: 1024 + 128 * 200 }]);
      if (buffer === undefined) throw new Error("no buffer");
      for (let at = 0; at < 1024; at++) buffer.bytes[at] = rng.below(256);
      const x = rng.chance(0.5) ? rng.below(16) : rng.u32();
      const outcome = runKernel(module, fn, { threads: 64, fuel: 10_000, args: [[buffer.base, 0], x], buffers: [buffer] });
      expect(outcome.status).toBe("ok");
      const threads = outcome.returned.length;
      const end = fn.layout[0] as BlockId;
      const at = (fn.blocks[end]?.insts.length ?? 1) - 1;
      for (let i = 1; i < REGISTERS; i++) {
        const bits = leadingBits(fn, reachingDefs(fn), end, at, reg("R", i));
        if (bits === null) continue;
        known++;
        for (let thread = 0; thread < threads; thread++) {
          const value = buffer.view.getUint32(1024 + 128 * thread + 4 * i, true);
          const fits = value >= bits.low && value <= lastOf(bits) && (bits.zeros === 32 ? value === 0 : value % 2 ** bits.zeros === 0);
          if (!fits) throw new Error(`seed ${seed}, program ${n}: R${i} is ${value}, outside of ${JSON.stringify(bits)}\n${text}`);
        }
      }
    }
    expect(known).toBeGreaterThan(500);
  });

  it("are those that the real compiler goes by", () => {
    const text = `.kernel k(p: RD0, x: R0) .reqntid 33, 4, 1
S2R R1, SR_TID.X
IADD R2, R1, 20
IMUL R3, R1, 3
IADD R4, R3, 66
LOP.AND R5, R0, 0xf0
IADD R6, R5, 15
IADD R7, R5, 16
S2R R8, SR_TID.Y
IMAD R9, R8, 64, R1
IADD R10, R1, -1
SHR.U32 R11, R0, 28
LOP.NOT R12, R1
IADD R13, R1, 64
EXIT`;
    const { module } = parseModule(text);
    const fn = module.funcs[0] as Func;
    const entry = fn.layout[0] as BlockId;
    const told = Array.from({ length: 13 }, (_, i) => {
      const bits = leadingBits(fn, reachingDefs(fn), entry, 99, reg("R", i + 1));
      return bits === null ? "unknown" : `${bits.free} from ${bits.low}`;
    });
    expect(told).toEqual([
      "6 from 0",
      "7 from 0",
      "8 from 0",
      "9 from 0",
      "8 from 0",
      "8 from 0",
      "9 from 0",
      "2 from 0",
      "8 from 0",
      "unknown",
      "4 from 0",
      `6 from ${0xffff_ffc0}`,
      "6 from 64",
    ]);
  });
});
