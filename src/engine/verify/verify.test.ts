import { describe, expect, it } from "vitest";
import { makeBlock, makeInst, memOp, regOp } from "../ir/builder.ts";
import { blockId, instId } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { PT, RDZ, RZ, reg } from "../ir/reg.ts";
import type { Block, Func, Inst, JumpTable, Operand } from "../ir/types.ts";
import { parseModule } from "../text/parser.ts";
import { undefinedReads } from "./undefined-reads.ts";
import { VERIFY_RULES, verifyChange, verifyFunc, verifyModule } from "./verify.ts";

const GOOD = `.symbol buf shared 64 4
.func f(n: R0, a: RD1) -> R4
.table T base=-2 default=BB4 { BB2, BB4, BB2 }
BB0:
    MOV R3, buf+4
    ISETP.GE P0, R0, 5
@P0 BRA BB2
    BRA BB1
BB1:
    PHI R4, [BB0: R3], [BB2: 0]
    JMX R0, T
BB2:
    IADD RD5, RD1, RZ
    LDG R6, [RD5]
@!P0 BRA BB1
    STG [RD5], R6
BB4:
    MOV R4, 1
    RET
`;

const parse = (text: string): Func => {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return module.funcs[0]!;
};
const good = parse(GOOD);
const goodModule = parseModule(GOOD).module;
const codes = (fn: Func): string[] => verifyFunc(fn, goodModule).map((d) => d.code);

const withBlock = (label: string, change: (block: Block) => Partial<Block>): Func => ({
  ...good,
  blocks: good.blocks.map((b) => (b?.label === label ? { ...b, ...change(b) } : b)),
});
const withInst = (label: string, at: number, change: (inst: Inst) => Partial<Inst>): Func =>
  withBlock(label, (b) => ({ insts: b.insts.map((inst, i) => (i === at ? { ...inst, ...change(inst) } : inst)) }));
const withTable = (change: Partial<JumpTable>): Func => ({ ...good, tables: new Map([["T", { ...good.tables.get("T")!, ...change }]]) });
const R = (n: number): Operand => regOp(reg("R", n));

/** One function that breaks each rule. Breaking one may break another: only the named one must be reported. */
const BROKEN: Readonly<Record<string, readonly Func[]>> = {
  VER001: [
    { ...good, layout: [...good.layout, blockId(77)] },
    { ...good, layout: [...good.layout, good.layout[0]!] },
    { ...good, layout: [] },
    { ...good, layout: good.layout.slice(0, -1) },
    withBlock("BB1", () => ({ id: blockId(0) })),
  ],
  VER002: [withBlock("BB1", () => ({ label: "BB2" })), withBlock("BB1", () => ({ label: "1 x" }))],
  VER003: [withBlock("BB0", (b) => ({ succs: [...b.succs].reverse() })), withBlock("BB0", () => ({ succs: [] }))],
  VER004: [withBlock("BB1", (b) => ({ preds: b.preds.slice(1) })), withBlock("BB1", (b) => ({ preds: [...b.preds, b.preds[0]!] }))],
  VER005: [
    withBlock("BB4", (b) => ({ insts: [b.insts[1]!, b.insts[0]!] })),
    withBlock("BB0", (b) => ({ insts: [...b.insts.slice(0, 2), b.insts[3]!, b.insts[2]!] })),
  ],
  VER006: [withBlock("BB4", (b) => ({ insts: b.insts.slice(0, 1) }))],
  VER007: [withInst("BB0", 3, () => ({ ops: [{ kind: "label", block: blockId(99) }] }))],
  VER008: [
    { ...good, tables: new Map() },
    withTable({ entries: [] }),
    withTable({ entries: [blockId(99)] }),
    withTable({ default: blockId(99) }),
    withTable({ name: "U" }),
  ],
  VER009: [
    withInst("BB2", 0, (i) => ({ ops: i.ops.slice(0, 2) })),
    withInst("BB2", 0, () => ({ mods: [] })),
    withInst("BB2", 0, (i) => ({ ops: [i.ops[0]!, i.ops[1]!, regOp(RZ)] })),
    withInst("BB0", 0, () => ({ ops: [R(3), regOp(RDZ)] })),
    withInst("BB0", 1, (i) => ({ ops: [i.ops[0]!, { kind: "reg", reg: reg("R", 0), neg: false, abs: true, not: false }, R(1)] })),
    withInst("BB2", 1, () => ({ ops: [memOp(reg("RD", 1)), R(2)] })),
    withInst("BB0", 0, () => ({ op: "LOP", mods: ["AND"], ops: [R(3), R(0)] })),
  ],
  VER010: [
    withInst("BB0", 1, () => ({ mods: ["U32", "GE"] })),
    withInst("BB0", 1, () => ({ mods: [] })),
    withInst("BB0", 1, () => ({ mods: ["GE", "AND"] })),
    withInst("BB0", 1, (i) => ({ ops: [...i.ops, regOp(PT)] })),
  ],
  VER011: [withInst("BB4", 0, () => ({ guard: { reg: reg("R", 1), neg: false } }))],
  VER012: [withInst("BB4", 0, () => ({ id: instId(0) })), { ...good, nextInst: 3 }],
  VER013: [
    { ...good, nextReg: [0, 0, 0, 0, 0, 0] },
    { ...good, nextReg: [] },
  ],
  VER014: [
    { ...good, params: [...good.params, { name: "n", reg: reg("R", 1) }] },
    { ...good, params: [...good.params, { name: "m", reg: reg("R", 0) }] },
    { ...good, params: [{ name: "n", reg: RZ }] },
    { ...good, kind: "kernel" },
  ],
  VER015: [withInst("BB0", 0, () => ({ ops: [R(3), { kind: "sym", name: "nowhere", offset: 0 }] }))],
  VER016: [withBlock("BB0", () => ({ weight: -1 })), withBlock("BB0", () => ({ weight: Number.NaN }))],
  VER017: [
    withBlock("BB1", (b) => ({ insts: [makeInst(instId(50), "NOP", []), ...b.insts] })),
    withInst("BB1", 0, () => ({ guard: { reg: PT, neg: false } })),
    withBlock("BB0", (b) => ({ insts: [makeInst(instId(50), "PHI", [R(9)]), ...b.insts] })),
  ],
  VER018: [
    withInst("BB1", 0, (i) => ({ ops: i.ops.slice(0, 2) })),
    withInst("BB1", 0, (i) => ({ ops: [...i.ops, i.ops[1]!] })),
    withInst("BB1", 0, (i) => ({ ops: [...i.ops, { kind: "phi", pred: blockId(4), value: R(0) }] })),
  ],
  VER019: [parse(GOOD.replace("IADD RD5, RD1, RZ", "IADD RD5, RD1, RD9"))],
  VER021: [withInst("BB0", 1, () => ({ op: "NOSUCH" as Opcode }))],
};

describe("verifier", () => {
  it("finds nothing wrong with a sound function", () => {
    expect(verifyModule(goodModule)).toEqual([]);
  });

  it("has a failing fixture for every rule", () => {
    expect(Object.keys(BROKEN).sort()).toEqual(VERIFY_RULES.map((rule) => rule.id).sort());
  });

  for (const [rule, funcs] of Object.entries(BROKEN)) {
    it(`${rule} reports each of its fixtures`, () => {
      for (const [i, fn] of funcs.entries()) expect(codes(fn), `fixture ${i}`).toContain(rule);
    });
  }

  it("locates what it reports", () => {
    const [d] = verifyFunc(
      withInst("BB2", 1, () => ({ mods: ["VOLATILE", "U8"] })),
      goodModule,
    );
    expect(d).toMatchObject({ line: 14, column: 1, code: "VER010", severity: "error" });
    expect(d!.message).toContain("f BB2: LDG.VOLATILE.U8");
  });

  it("reports two functions of one name", () => {
    expect(verifyModule({ ...goodModule, funcs: [good, good] }).map((d) => d.code)).toEqual(["VER020"]);
  });
});

const reads = (text: string): string[] => undefinedReads(parse(text)).map(({ reg: r, block }) => `${block.label} ${r >> 3}`);

describe("reads without a definition", () => {
  it("counts definitions on some path, guarded ones too, and parameters", () => {
    expect(
      reads(`.kernel f(p: R9)
BB0:
@P1 MOV R1, 1
    BRA P2, BB2
BB1:
    MOV R2, R9
BB2:
    STG [0], R1
    STG [4], R2
    EXIT
`),
    ).toEqual(["BB0 1", "BB0 2"]);
  });

  it("lets a definition reach around a loop, but not from behind the read in straight code", () => {
    expect(reads(".kernel f()\nBB0:\n    MOV R1, R2\n    MOV R2, 1\n    BRA BB0\n")).toEqual([]);
    expect(reads(".kernel f()\nBB0:\n    MOV R1, R2\n    MOV R2, 1\n    EXIT\n")).toEqual(["BB0 2"]);
  });

  it("reads a PHI's input at the end of its predecessor and results at RET, and ignores unreachable blocks", () => {
    expect(
      reads(`.func f() -> R7
BB0:
    BRA BB1
BBX:
    MOV R5, R6
    BRA BB0
BB1:
    PHI R3, [BB0: R1]
    RET
`),
    ).toEqual(["BB0 1", "BB1 7"]);
  });

  it("handles more registers than one batch", () => {
    const n = 5000;
    const lines = Array.from({ length: n }, (_, i) => `    STG [0], R${i}\n`).join("");
    expect(undefinedReads(parse(`.kernel f()\nBB0:\n    BRA BB1\nBB1:\n${lines}    EXIT\n`)).length).toBe(n);
    const defs = Array.from({ length: n }, (_, i) => `    MOV R${i}, 0\n`).join("");
    expect(undefinedReads(parse(`.kernel f()\nBB0:\n${defs}    BRA BB1\nBB1:\n${lines}    EXIT\n`))).toEqual([]);
  });

  it("is an error only for registers that a phase newly reads so", () => {
    const before = parse(".kernel f()\nBB0:\n    MOV R3, 1\n    STG [0], R2\n    STG [4], R3\n    EXIT\n");
    const entry = before.blocks[0]!;
    const after = { ...before, blocks: [{ ...entry, insts: entry.insts.slice(1) }] };
    expect(verifyFunc(before).map((d) => d.severity)).toEqual(["warning"]);
    expect(verifyFunc(before, null, { undefinedReads: "error" }).map((d) => d.severity)).toEqual(["error"]);
    expect(verifyChange(before, before)).toEqual([]);
    expect(verifyChange(before, after).map((d) => [d.code, d.severity, d.message])).toEqual([
      ["VER019", "error", "f BB0: STG reads R3, which nothing defines before"],
    ]);
  });
});

it("lets a phase take away the only definition of a register that some path read undefined before", () => {
  const loop = (back: string): Func => parse(`.kernel f(n: R0)\nBB0:\n    LOP.XOR R1, R1, R0\n    STG [0], R1\n${back}    EXIT\n`);
  const before = loop("    ISETP.LT P0, R0, 0\n@P0 BRA BB0\n");
  expect(verifyFunc(before)).toEqual([]);
  expect(verifyFunc(loop("")).map((d) => d.code)).toEqual(["VER019"]);
  expect(verifyChange(before, loop(""))).toEqual([]);
});

it("does not throw on a function of nothing", () => {
  const empty: Func = { ...good, blocks: [makeBlock(blockId(0), "")], layout: [blockId(0), blockId(9)], tables: new Map() };
  expect(verifyFunc(empty).length).toBeGreaterThan(0);
});
