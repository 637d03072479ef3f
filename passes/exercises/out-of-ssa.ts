/**
 * Out of SSA. A PHI becomes copies at the ends of the predecessors. All PHIs of
 * a block read before any of them writes (the swap), and the result of one may
 * still be read where its block branches back (the lost copy). Insert the
 * copies and remove the PHIs; `fn.freshReg` returns a new register. The
 * template does nothing.
 */

import { definePass, type Inst, type Reg, type RegClass, test } from "oriscope/pass";

export default definePass({
  name: "out of SSA",
  summary: "Replaces PHIs by copies at the ends of the predecessors.",
  run(fn, ctx) {
    for (const block of fn.order("reverse-postorder")) {
      if (block.phis.length === 0) continue;
      if (block.phis.some((phi) => phi.guard !== null)) {
        ctx.refuse("guarded", `a PHI of ${block.label} has a guard`, { block });
        continue;
      }
      for (const phi of block.phis) ctx.step(`'${phi.text}' takes one of ${phi.sources.length} values`, { inst: phi, blocks: block.preds });
      // The PHIs of a block take their values at once: all of them, or none.
      ctx.rewrite(`the PHIs of ${block.label} become copies`, { block, insts: block.phis }, () => {
        const phis = block.phis.map((phi) => ({ phi, dest: phi.defs[0] ?? "RZ", inputs: inputsOf(phi) }));
        // your turn: what is written at the ends of the predecessors, and what at the head of the block?
        // end
      });
    }
  },
});

function inputsOf(phi: Inst) {
  return phi.sources.flatMap((source, i) => {
    if (source.kind !== "phi") return [];
    const value = /:\s*(.*)\]$/.exec(phi.sourceTexts[i] ?? "")?.[1] ?? "";
    return [{ from: source.from, value }];
  });
}

const classOf = (reg: Reg): RegClass => reg.replace(/[\dZ]+$/, "") as RegClass;

const copy = (dest: Reg, source: string): string => `${/^U?P/.test(dest) ? "PMOV" : "MOV"} ${dest}, ${source}`;

const SWAP = `.func swap(n: R0, a: R1, b: R2) -> R3
A:
  MOV R9, 0
B:
  PHI R3, [A: R1], [B: R4]
  PHI R4, [A: R2], [B: R3]
  PHI R5, [A: R9], [B: R6]
  IADD R6, R5, 1
  ISETP.LT P0, R6, R0
@P0 BRA B
C:
  RET`;

test("the swap", SWAP, {
  after: `.func swap(n: R0, a: R1, b: R2) -> R3
A:
  MOV R9, 0
  MOV R10, R1
  MOV R11, R2
  MOV R12, R9
B:
  MOV R5, R12
  MOV R4, R11
  MOV R3, R10
  IADD R6, R5, 1
  ISETP.LT P0, R6, R0
  MOV R10, R4
  MOV R11, R3
  MOV R12, R6
@P0 BRA B
C:
  RET`,
});
test("the lost copy", SWAP.replace("[B: R4]", "[B: R6]").replace("IADD R6, R5, 1", "IADD R6, R3, 1"));
