import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { checkEquivalent } from "../fuzz/equivalence.ts";
import { generateModule } from "../fuzz/generate/generate.ts";
import { draws, freshSeed, seedsFrom } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { printFunc, printModule } from "../text/printer.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { verifyChange } from "../verify/verify.ts";
import { Editor } from "./edit.ts";
import { type OutOfSsa, outOfSsa } from "./out-of-ssa.ts";
import { regClass } from "./reg.ts";
import type { Func, Module, Operand } from "./types.ts";
import { defsOf, hasPhis, usesOf } from "./visit.ts";

function parse(text: string): { readonly fn: Func; readonly module: Module } {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return { module, fn: module.funcs[0] as Func };
}

/** Without PHIs, accepted by the verifier, of the same meaning, and its text reads back to itself. */
function expectSound(fn: Func, module: Module, what: string, inputs = 24): OutOfSsa {
  const before = printFunc(fn);
  const result = outOfSsa(fn);
  expect(printFunc(fn), what).toBe(before);
  expect(hasPhis(result.fn), what).toBe(false);
  expect(
    verifyChange(fn, result.fn, module).filter((d) => d.severity === "error"),
    what,
  ).toEqual([]);
  const text = printModule({ ...module, funcs: [result.fn] });
  expect(printModule(parseModule(text).module), what).toBe(text);
  const { counterexample } = checkEquivalent(fn, result.fn, module, { inputs, seed: 5, fuel: 20_000 });
  expect(counterexample?.text ?? null, `${what}\n${before}\n${printFunc(result.fn)}`).toBeNull();
  return result;
}

const lines = (fn: Func): string[] =>
  printFunc(fn)
    .split("\n")
    .map((line) => line.trim().replace(/\s+/g, " "));

describe("outOfSsa", () => {
  it("swaps two registers on the way round a loop through a fresh one", () => {
    const { fn, module } = parse(`.kernel swap(n: R0, out: RD0)
A: MOV R1, 10
 MOV R2, 20
 MOV R3, 0
H: PHI R4, [A: R1], [H: R5]
 PHI R5, [A: R2], [H: R4]
 PHI R6, [A: R3], [H: R7]
 IADD R7, R6, 1
 ISETP.LT P0, R7, R0
@P0 BRA H
D: STG [RD0], R4
 STG [RD0+4], R5
 STG [RD0+8], R7
 EXIT
`);
    const result = expectSound(fn, module, "swap", 60);
    // The back edge is critical: H also continues to D, which reads the results of H's PHIs (the lost copy).
    expect(result.edgeBlocks).toEqual(["H.to.H"]);
    expect(result.fresh).toHaveLength(1);
    expect(result.phis).toBe(3);
    expect(lines(result.fn)).toContain("MOV R8, R4");
  });

  it("keeps a value that is read after the loop while the way back writes it anew", () => {
    const { fn, module } = parse(`.kernel lost(n: R0, out: RD0)
A: MOV R1, 1
H: PHI R2, [A: R1], [H: R3]
 IADD R3, R2, 1
 ISETP.LT P0, R3, R0
@P0 BRA H
D: STG [RD0], R2
 EXIT
`);
    const result = expectSound(fn, module, "lost copy", 60);
    expect(result.edgeBlocks).toEqual(["H.to.H"]);
    expect(result.fresh).toEqual([]);
  });

  it("does not write before a guarded end of the thread or a condition that reads what it writes", () => {
    const { fn, module } = parse(`.func ends(n: R0, m: R1) -> R2, P0
A: MOV R2, 5
 ISETP.LT P0, R0, 3
 ISETP.LT P1, R1, 3
@P0 RET
B: PHI R2, [A: 9]
 PHI P0, [A: !P0]
@P1 BRA J
C: MOV R3, 3
@P1 BRA J
@!P1 BRA J
J: PHI R2, [B: R1], [C: R3]
 PHI P1, [B: P0], [C: !P1]
 PHI P0, [B: P1], [C: PT]
 RET
`);
    expectSound(fn, module, "guarded ends", 60);
  });

  it("takes every class of register and every kind of value", () => {
    const { fn, module } = parse(`.func kinds(n: R0, w: RD1) -> R1, RD2, P1, R3, R6
A: ISETP.LT P0, R0, 3
 MOV UR1, 4
@P0 BRA J
B: MOV R2, 7
J: PHI R1, [A: 5], [B: 1.5]
 PHI RD2, [A: RD1], [B: RZ]
 PHI P1, [A: !P0], [B: PT]
 PHI R3, [A: c[0x0][0x160]], [B: R0]
 PHI UR2, [A: UR1], [B: 2]
 PHI UP1, [A: UPT], [B: !UPT]
 PHI R6, [A: RZ], [B: R2]
 RET
`);
    expectSound(fn, module, "kinds");
  });

  it("carries values in fresh registers where two jumps share a table", () => {
    const { fn, module } = parse(`.kernel shared(n: R0, m: R1, out: RD0)
.table T base=0 default=D { X, J }
A: ISETP.LT P0, R1, 3
 LOP.AND R2, R0, 3
@P0 BRA B
 JMX R2, T
B: IADD R3, R0, 1
 JMX R2, T
X: MOV R4, 3
J: PHI R5, [A: R0], [B: R3], [X: R4]
 PHI R6, [A: R1], [B: R2], [X: 7]
 STG [RD0], R5
 STG [RD0+4], R6
 EXIT
D: STG [RD0], R1
 EXIT
`);
    const result = expectSound(fn, module, "shared table", 60);
    expect(result.carried).toEqual(["J"]);
    expect(result.edgeBlocks).toEqual([]);
  });

  it("gives a way out of a jump table a block of its own", () => {
    const { fn, module } = parse(`.kernel own(n: R0, m: R1, out: RD0)
.table T base=0 default=D { X, J, J }
A: LOP.AND R2, R0, 3
 JMX R2, T
X: MOV R4, 3
J: PHI R5, [A: R0], [X: R4]
 STG [RD0], R5
 EXIT
D: STG [RD0], R1
 EXIT
`);
    const result = expectSound(fn, module, "own table", 60);
    expect(result.edgeBlocks).toEqual(["A.to.J"]);
    expect(result.fn.tables.get("T")?.entries.map((id) => result.fn.blocks[id]?.label)).toEqual(["X", "A.to.J", "A.to.J"]);
  });

  it("keeps comments and needs nothing where there are no PHIs", () => {
    const { fn, module } = parse(`.kernel c(n: R0, out: RD0)
A: ISETP.LT P0, R0, 3
@P0 BRA J
B: MOV R1, 4
J:
 // the value of either way
 PHI R2, [A: R0], [B: R1] // chosen
 STG [RD0], R2 // kept
 EXIT
`);
    const { fn: after } = expectSound(fn, module, "comments");
    const text = printFunc(after);
    for (const comment of ["// the value of either way", "// chosen", "// kept"]) expect(text).toContain(comment);
    expect(outOfSsa(after)).toMatchObject({ phis: 0, copies: 0, edgeBlocks: [], fresh: [], carried: [] });
  });

  it("takes 1,000 blocks, each with a PHI and with a new block on both ways into it", () => {
    const blocks = Array.from({ length: 1000 }, (_, i) => {
      const phi = i < 2 ? [] : [`    PHI R${(i % 100) + 2}, [BB${i - 2}: ${i}], [BB${i - 1}: R1]`];
      return [`BB${i}:`, ...phi, `@P0 BRA BB${Math.min(i + 2, 1000)}`];
    });
    const head = [".kernel k(n: R0, p: P0)", "IN:", "    MOV R1, 7"];
    const { fn } = parse([...head, ...blocks.flat(), "BB1000:", "    EXIT"].join("\n"));
    const { fn: after, phis, edgeBlocks } = outOfSsa(fn);
    expect({ phis, blocks: edgeBlocks.length, left: hasPhis(after) }).toEqual({ phis: 998, blocks: 1996, left: false });
  });

  it("takes a block with 150 PHIs and 150 predecessors", () => {
    const count = 150;
    const text = [".kernel wide(n: R0, out: RD0)"];
    for (let i = 0; i < count; i++) text.push(`T${i}:`, ` ISETP.EQ P0, R0, ${i}`, "@P0 BRA J");
    text.push("L: NOP", "J:");
    for (let i = 0; i < count; i++) {
      const inputs = Array.from({ length: count }, (_, k) => `[T${k}: ${i * k}]`);
      text.push(` PHI R${i + 1}, ${inputs.join(", ")}, [L: ${i}]`);
    }
    text.push(` STG [RD0], R${count}`, " EXIT", "");
    const { fn, module } = parse(text.join("\n"));
    expect(expectSound(fn, module, "wide", 4).edgeBlocks).toHaveLength(count);
  });

  const seed = freshSeed();
  it.each(["any", "copies", "diamond", "irreducible"] as const)(
    `keeps the meaning of random programs, profile %s (seeds from ${seed})`,
    (profile) => {
      let phis = 0;
      const isEnough = (): boolean => profile === "irreducible" || phis > 0;
      for (const one of seedsFrom(seed, draws(8), isEnough)) {
        const module = generateModule({ seed: one, profile });
        const fn = module.funcs[0] as Func;
        if (hasPhis(fn)) phis += expectSound(fn, module, `profile ${profile}, seed ${one}`, 8).phis;
      }
      expect(isEnough()).toBe(true);
    },
  );

  it.each(["any", "diamond", "irreducible", "switch"] as const)(
    `keeps the meaning where PHIs permute registers, profile %s (seeds from ${seed})`,
    (profile) => {
      let opened = 0;
      let split = 0;
      for (const one of seedsFrom(seed, draws(8), () => opened > 0 && split > 0)) {
        const module = generateModule({ seed: one, profile, features: { calls: false } });
        const fn = withPermutations(module.funcs[0] as Func, one);
        const result = expectSound(fn, module, `profile ${profile}, seed ${one}`, 6);
        opened += result.fresh.length;
        split += result.edgeBlocks.length;
      }
      expect(opened).toBeGreaterThan(0);
      expect(split).toBeGreaterThan(0);
    },
  );
});

/** PHIs at joins that permute registers of the program, with any effect on its meaning: swaps, rotations, lost copies. */
function withPermutations(fn: Func, seed: number): Func {
  const rng = createPrng(seed);
  const edit = new Editor(fn, NO_RECORDER);
  const used = new Set(fn.layout.flatMap((id) => (fn.blocks[id]?.insts ?? []).flatMap((inst) => [...defsOf(inst), ...usesOf(inst)])));
  for (const id of fn.layout.slice(1)) {
    const { preds, insts } = edit.block(id);
    if (preds.length < 2 || insts[0]?.op === "PHI" || rng.chance(0.4)) continue;
    const cls = rng.chance(0.7) ? "R" : "P";
    const bank = [...used].filter((r) => regClass(r) === cls);
    if (bank.length === 0) continue;
    const dests = new Set(Array.from({ length: 1 + rng.below(4) }, () => rng.pick(bank)));
    const sources = [...dests];
    for (const dest of dests) {
      const ops = preds.map((pred): Operand => {
        const source = rng.chance(0.8) ? rng.pick(sources) : rng.pick(bank);
        return { kind: "phi", pred, value: { kind: "reg", reg: source, neg: cls === "P" && rng.chance(0.3), abs: false, not: false } };
      });
      edit.insert(id, 0, edit.make("PHI", [{ kind: "reg", reg: dest, neg: false, abs: false, not: false }, ...ops]));
    }
  }
  return edit.func;
}
