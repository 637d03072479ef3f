import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { runKernel } from "../interp/interpreter.ts";
import { placeBuffers } from "../interp/memory.ts";
import type { BlockId } from "../ir/ids.ts";
import { reg } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { freshSeed } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { lastOf, leadingBits } from "./leading-bits.ts";
import { reachingDefs } from "./reaching-defs.ts";
import { boundedChain, CHAIN_REGISTERS } from "./testing/bounded-chain.ts";

describe("leading bits", () => {
  it("hold for every value that a run computes", () => {
    const seed = freshSeed();
    let known = 0;
    for (let n = 0; n < 150; n++) {
      const rng = createPrng(seed + n);
      const text = boundedChain(rng).join("\n");
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
      for (let i = 1; i < CHAIN_REGISTERS; i++) {
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
