import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { BRIL } from "../bril.ts";
import { canonicalText, jsonOf } from "../testing/held.ts";
import { interpretBril } from "../testing/interpret.ts";

function session(text: string): EngineSession {
  const made = new EngineSession();
  expect(made.open(1, text, null).diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return made;
}

function exported(text: string): string {
  const made = session(text);
  const { kernels } = made.open(1, text, null);
  const bril = made.written(kernels.map((k) => k.name));
  expect(bril?.problems).toEqual([]);
  return bril?.text ?? "";
}

const PROGRAM = `@fact(n: int): int {
  one: int = const 1;
  done: bool = le n one;
  br done .base .step;
.base:
  ret one;
.step:
  less: int = sub n one;
  rest: int = call @fact less;
  result: int = mul n rest;
  ret result;
}

@main(n: int, f: float, b: bool, c: char) {
  big: int = const -9223372036854775807;
  half: float = const 0.5;
  zero: float = const -0.0;
  letter: char = const 'x';
  newline: char = const '\\n';
  no: bool = const false;
  m: int = call @fact n;
.loop:
  m: int = sub m n;
  two: int = id n;
  q: int = div m two;
  pos: bool = gt q big;
  same: bool = feq f half;
  g: float = fsub f half;
  h: float = fdiv g zero;
  less: bool = flt h g;
  eq: bool = ceq c letter;
  either: bool = or pos same;
  both: bool = and either eq;
  none: bool = not both;
  nop;
  br less .memory .end;
.memory:
  p: ptr<int> = alloc two;
  store p q;
  r: ptr<int> = ptradd p two;
  v: int = load r;
  bits: ptr<bool> = alloc n;
  store bits none;
  w: bool = load bits;
  text: ptr<char> = alloc n;
  store text newline;
  d: char = load text;
  code: int = char2int d;
  e: char = int2char code;
  pp: ptr<ptr<int>> = alloc n;
  store pp p;
  inner: ptr<int> = load pp;
  i: int = float2bits h;
  k: float = bits2float i;
  print v w d k;
  print e;
  free inner;
  jmp .loop;
.end:
}
`;

describe("a program on which no phase ran", () => {
  it("is exported as it was written", () => {
    expect(exported(PROGRAM)).toBe(PROGRAM);
    expect(canonicalText(PROGRAM)).toBe(PROGRAM);
  });

  it("is the same in JSON", () => {
    expect(canonicalText(jsonOf(PROGRAM))).toBe(PROGRAM);
    expect(exported(jsonOf(PROGRAM))).toBe(PROGRAM);
  });

  it("keeps names that Ori would not take", () => {
    const text = "@main(R0: int) {\n  P1: bool = const true;\n  br P1 .R5 .%x;\n.R5:\n  print R0;\n.%x:\n}\n";
    expect(exported(text)).toBe(text);
  });

  it("sends the values of PHIs", () => {
    const text =
      "@main(c: bool) {\n.a:\n  x: int = const 1;\n  br c .b .d;\n.b:\n  y: int = const 2;\n.d:\n  z: int = phi x .a y .b;\n  print z;\n}\n";
    const out = exported(text);
    expect(out).toContain("set z x;");
    expect(out).toContain("z: int = get;");
    for (const c of [true, false]) expect(interpretBril(jsonOf(out), [c]).lines).toEqual(interpretBril(jsonOf(text), [c]).lines);
  });
});

describe("what phases make", () => {
  /** Ori with variables of the given types, as a phase may have left it. */
  const written = (body: string, run: readonly bigint[] = []) => {
    const source = "@main(a: int, b: int) {\n  x: int = const 0;\n  p: bool = const true;\n  print x p;\n}\n";
    const { program } = BRIL.read(source);
    const text = `.func print.int.bool(v0: RD0, v1: P0)\n RET\n.kernel main(a: RD0, b: RD1)\nBB0:\n MOV RD2, 0\n PMOV P0, !PT\n${body}\n`;
    const { module, diagnostics } = parseModule(text);
    expect(diagnostics).toEqual([]);
    const bril = program!.write(module.funcs);
    return { ...bril, lines: bril.problems.length > 0 ? [] : interpretBril(bril.json, run).lines };
  };
  const print = " CALL print.int.bool, {}, {RD2, P0}\n EXIT";

  it.each([
    ["a guard", " ISETP.LT.64 P0, RD0, RD1\n@P0 IADD.64 RD2, RD0, 10\n@!P0 IADD.64 RD2, RD1, 20", [3n, 4n], "13 true"],
    ["a guard that does not hold", " ISETP.LT.64 P0, RD0, RD1\n@P0 IADD.64 RD2, RD0, 10\n@!P0 IADD.64 RD2, RD1, 20", [4n, 3n], "23 false"],
    ["a guard that its own group writes", " ISETP.LT.64 P0, RD0, RD1\n@P0 PMOV P0, !PT\n@P0 MOV RD2, RD1", [1n, 2n], "0 false"],
    ["a select", " ISETP.GT.64 P0, RD0, RD1\n SEL.64 RD2, RD0, RD1, !P0", [1n, 2n], "1 false"],
    ["a minimum", " IMNMX.64 RD2, RD0, RD1, PT\n ISETP.EQ.64 P0, RD2, RD0", [-5n, 2n], "-5 true"],
    ["a maximum", " IMNMX.64 RD2, RD0, RD1, !PT\n ISETP.NE.64 P0, RD2, RD0", [-5n, 2n], "2 true"],
    ["a product and a sum", " IMAD.64 RD2, RD0, RD1, 7", [3n, 4n], "19 false"],
    ["three sums", " IADD3.64 RD2, RD0, -RD1, 1", [3n, 4n], "0 false"],
    ["shifts", " SHL.64 RD2, RD0, 3\n SHR.64 RD3, RD1, 1\n IADD.64 RD2, RD2, RD3", [2n, -3n], "14 false"],
    ["a scaled sum", " LEA.64 RD2, RD0, RD1, 2", [5n, 1n], "21 false"],
    ["a quotient without a check", " IDIV.64 RD2, RD0, RD1", [5n, 0n], "-1 false"],
    ["a remainder", " IREM.64 RD2, RD0, RD1", [-7n, 4n], "-3 false"],
    ["a remainder by 0", " IREM.64 RD2, RD0, RD1", [-7n, 0n], "-7 false"],
    ["an unsigned comparison", " ISETP.GT.U32.64 P0, RD0, RD1", [-1n, 4n], "0 true"],
    ["an unsigned comparison of small numbers", " ISETP.LE.U32.64 P0, RD0, RD1", [1n, 4n], "0 true"],
    ["a comparison and another", " ISETP.LT.64 P1, RD0, 5\n ISETP.GT.64.XOR P0, RD1, 5, P1", [1n, 9n], "0 false"],
    ["a truth table", " ISETP.LT.64 P1, RD0, 5\n ISETP.LT.64 P2, RD1, 5\n PLOP3 P0, P1, !P2, P1, 0x96", [1n, 9n], "0 true"],
    ["a complement", " LOP.NOT.64 RD2, RD0\n IABS.64 RD2, RD2\n INEG.64 RD2, RD2", [4n, 0n], "-5 false"],
    ["a double", " MOV RD4, 1.5\n DADD RD5, RD4, -RD4\n DSETP.GEU P0, RD5, 0.0", [4n, 0n], "0 true"],
    ["regions of convergence", " BSSY B0, BB1\n ISETP.LT.64 P0, RD0, RD1\n@P0 BRA BB1\n MOV RD2, 7\nBB1:\n BSYNC B0", [4n, 0n], "7 false"],
  ] as const)("%s", (_, body, args, line) => {
    expect(written(`${body}\n${print}`, args)).toMatchObject({ problems: [], lines: [line] });
  });

  it("is named where it has no form", () => {
    expect(written(` LOP.AND.64 RD2, RD0, RD1\n S2R R0, SR_TID.X\n${print}`).problems).toEqual([
      "@main: LOP.AND.64 has no form in Bril (line 7)",
      "@main: S2R has no form in Bril (line 8)",
    ]);
  });

  it("a trap stops where it stood", () => {
    const { json } = written(" ISETP.LT.64 P0, RD0, RD1\n@P0 BPT.TRAP\n MOV RD2, 1\n CALL print.int.bool, {}, {RD2, P0}\n EXIT");
    expect(interpretBril(json, [1n, 2n]).status).toBe("error");
    expect(interpretBril(json, [2n, 1n])).toMatchObject({ status: "ok", lines: ["1 false"] });
  });

  it("the pipeline folds and Bril shows it", () => {
    const made = session(
      "@main {\n  a: int = const 4;\n  b: int = const 5;\n  c: int = add a b;\n  t: bool = lt a b;\n  br t .yes .no;\n.yes:\n  print c;\n  jmp .end;\n.no:\n  print a;\n.end:\n}\n",
    );
    made.run(1, "main", DEFAULT_PIPELINE);
    expect(made.written(["main"])?.text).toBe("@main {\n  c: int = const 9;\n.yes:\n  print c;\n.end:\n}\n");
  });
});
