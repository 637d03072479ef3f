/**
 * Constant propagation. An operation on known numbers is computed at compile
 * time. Write `known`: the number that a register has at an instruction, if it
 * has only one. `reaching` returns the definitions that may reach it. The
 * template knows no register.
 */

import { definePass, type Inst, type Operand, test } from "oriscope/pass";

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  IADD: (a, b) => a + b,
  ISUB: (a, b) => a - b,
  IMUL: (a, b) => Math.imul(a, b),
};

export default definePass({
  name: "constant propagation",
  summary: "Computes integer operations on known numbers.",
  run(fn, ctx) {
    const shown = ctx.table("results that are known");
    const open = new Set<number>();
    for (let again = true; again; ) {
      again = false;
      const reaching = fn.reachingDefinitions();
      for (const block of fn.order("reverse-postorder")) {
        for (const inst of block.insts) {
          const compute = OPERATIONS[inst.op];
          const [dest] = inst.defs;
          if (compute === undefined || dest === undefined || inst.mods.length > 0 || !dest.startsWith("R") || dest.startsWith("RD"))
            continue;
          const [a, b] = inst.sources.map((source) => known(inst, source));
          if (a == null || b == null) {
            // Another round may know more, so it is reported once.
            if (!open.has(inst.id)) ctx.refuse("not known", `a source of '${inst.text}' has no single known value here`, { inst });
            open.add(inst.id);
            continue;
          }
          const value = compute(a, b) >>> 0;
          const guard = inst.guard === null ? "" : `@${inst.guard.neg ? "!" : ""}${inst.guard.reg} `;
          const done = ctx.rewrite(`'${inst.text}' is always ${value}`, { inst }, () => fn.replace(inst, `${guard}MOV ${dest}, ${value}`));
          if (done) shown.set(dest, value);
          again ||= done;
        }
      }

      /** The number that an operand always has; null: it is not known. */
      function known(inst: Inst, source: Operand): number | null {
        if (source.kind === "imm") return Number(BigInt.asUintN(32, BigInt(source.value)));
        if (source.kind !== "reg" || source.neg || source.abs || source.not) return null;
        if (source.reg === "RZ") return 0;
        // your turn: when does the register have one known value here?
        return null;
        // end
      }
    }
  },
});

test("a sum", ".func f() -> R1\nMOV R0, 3\nIADD R1, R0, 4\nRET", { after: ".func f() -> R1\nMOV R0, 3\nMOV R1, 7\nRET" });
test("not known on one path", ".func f(p: P0, n: R0) -> R1\nMOV R0, 3\n@P0 MOV R0, 4\nIADD R1, R0, 4\nRET", { unchanged: true });
