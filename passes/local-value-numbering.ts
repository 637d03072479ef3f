/** Within each block, an expression that was computed before becomes a copy. */

import { definePass, type Inst, type Reg, test } from "oriscope/pass";

export default definePass({
  name: "local value numbering",
  summary: "Replaces an expression that the block has computed before by a copy.",
  run(fn, ctx) {
    for (const block of fn.blocks) {
      const numbers = new Map<Reg, number>();
      const known = new Map<string, { readonly reg: Reg; readonly number: number }>();
      const shown = ctx.table(`expressions of ${block.label}`);
      const shownNumbers = ctx.table(`value numbers of ${block.label}`);
      let next = 0;
      const give = (reg: Reg, number: number): void => {
        numbers.set(reg, number);
        shownNumbers.set(reg, number);
      };
      const numberOf = (reg: Reg): number => {
        const found = numbers.get(reg) ?? next++;
        give(reg, found);
        return found;
      };
      for (const inst of block.insts) {
        const [dest] = inst.defs;
        if (dest === undefined || inst.defs.length > 1 || !isExpression(inst)) {
          for (const reg of inst.defs) give(reg, next++);
          continue;
        }
        // your turn: the key of an expression, and when an earlier one may be used
        const sources = inst.sourceTexts.map((text) => text.replace(/\b(?:RD|UR|UP|R|P)\d+\b/g, (reg) => `#${numberOf(reg)}`));
        const key = `${inst.op}.${inst.mods.join(".")} ${dest.replace(/\d+/, "")} ${(inst.commutative ? sources.sort() : sources).join(", ")}`;
        const earlier = known.get(key);
        const holds = earlier !== undefined && numbers.get(earlier.reg) === earlier.number;
        // end
        ctx.step(`'${inst.text}' is ${key}, ${earlier === undefined ? "seen for the first time" : `which ${earlier.reg} was given`}`, {
          inst,
        });
        if (earlier !== undefined && holds && earlier.reg !== dest) {
          const copy = `${/^U?P\d/.test(dest) ? "PMOV" : "MOV"} ${dest}, ${earlier.reg}`;
          const done = ctx.rewrite(`'${inst.text}' was computed before: ${earlier.reg} has it`, { inst, regs: [earlier.reg] }, () =>
            fn.replace(inst, copy),
          );
          give(dest, done ? earlier.number : next++);
          continue;
        }
        if (earlier !== undefined && !holds)
          ctx.refuse("overwritten", `${earlier.reg} had the value of '${inst.text}' and was overwritten`, { inst });
        const number = next++;
        give(dest, number);
        known.set(key, { reg: dest, number });
        shown.set(key, dest);
      }
    }
  },
});

/** The same operands always give the same result, and it is always written. */
function isExpression(inst: Inst): boolean {
  return inst.effect === "pure" && inst.guard === null && !inst.isPhi && inst.op !== "MOV" && inst.op !== "PMOV" && inst.op !== "OPAQUE";
}

test("computed twice", ".func f(a: R0, b: R1) -> R2, R3\nIADD R2, R0, R1\nIADD R3, R1, R0\nRET", {
  after: ".func f(a: R0, b: R1) -> R2, R3\nIADD R2, R0, R1\nMOV R3, R2\nRET",
});
test("an operand changed between", ".func f(a: R0, b: R1) -> R2, R3\nIADD R2, R0, R1\nMOV R0, 7\nIADD R3, R0, R1\nRET", {
  unchanged: true,
});
test("the value was overwritten", ".func f(a: R0, b: R1) -> R2, R3\nIADD R2, R0, R1\nMOV R2, 7\nIADD R3, R0, R1\nRET", { unchanged: true });
