import { describe, expect, it } from "vitest";
import { ORI_CODES } from "./codes.ts";
import { parseModule } from "./parser.ts";
import { printModule } from "./printer.ts";

const CODES = Object.keys(ORI_CODES);

/** Diagnostics as `line:column+length CODE suggestion`. */
const say = (text: string): string[] =>
  parseModule(text).diagnostics.map((d) => `${d.line}:${d.column}+${d.length} ${d.code}${d.suggestion === null ? "" : ` ${d.suggestion}`}`);

/** Lines 3 to … of a kernel that is fine otherwise; the block BB1 and the table T exist. */
const inBody = (lines: string): string => `.kernel f(n: R0)\nBB0:\n${lines}\nBB1:\n    EXIT\n.table T { BB1 }\nLAST:\n    JMX R0, T\n`;

/** A text, and the expected messages about it. */
const CASES: readonly (readonly [string, string])[] = [
  ["NOP #", "3:5+1 ORI001"],
  ['OPAQUE.pure {}, {}, "open', "3:21+5 ORI002"],
  ["MOV R1, 0x", "3:9+2 ORI003"],
  ["MOV RD1, 99999999999999999999", "3:10+20 ORI003"],
  ["FADD R1, R2, 0x1ffffffff", "3:14+11 ORI003"],
  [".tabel T { BB1 }", "3:1+6 ORI004 .table"],
  [".weight BB1", "3:12+0 ORI003"],
  [".table U base=x { BB1 }", "3:15+1 ORI003"],
  [".table U { BB1 BB0 }", "3:16+3 ORI005"],
  ["IADDD R1, R2, R3", "3:1+5 ORI010 IADD"],
  ["ISTEP.GE P0, R1, R2", "3:1+8 ORI010 ISETP.GE"],
  ["ISETP.GEE P0, R1, R2", "3:1+9 ORI011 ISETP.GE"],
  ["ISETP.GE.LT P0, R1, R2", "3:1+11 ORI011"],
  ["RET.FAST", "3:1+8 ORI011"],
  ["ISETP P0, R1, R2", "3:1+5 ORI012 ISETP.EQ"],
  ["IADD R1, R2", "3:1+4 ORI013"],
  ["EXIT R1", "3:1+4 ORI013"],
  ["LOP.AND R1, R2", "3:1+7 ORI013"],
  ["IADD R1, R2, P0", "3:14+2 ORI014"],
  ["IADD RD1, RD2, R3", "3:16+2 ORI014 RD3"],
  ["DADD RD1, RD2, R3", "3:16+2 ORI014 RD3"],
  ["IADD R1, |R2|, R3", "3:10+4 ORI014"],
  ["LDG R1, [P0]", "3:9+4 ORI014"],
  ["LDG R1, R2", "3:9+2 ORI014"],
  ["STG.64 [RD2], R4", "3:15+2 ORI014 RD4"],
  ["LDG {R1, R2, R3}, [RD2]", "3:5+12 ORI014"],
  ["ISETP.GE P0, P1, R1, R2, PT", "3:14+2 ORI014 PT"],
  ["S2R R1, TID.X", "3:9+5 ORI014 SR_TID.X"],
  ["IADD R1, , R2", "3:10+1 ORI015"],
  ["IADD R1, -P0, R2", "3:11+2 ORI015 !P0"],
  ["IADD R1, !R0, R2", "3:11+2 ORI015"],
  ["LDG R1, [RD2+]", "3:14+1 ORI015"],
  ["PHI R1, [BB0: [BB1: 0]]", "3:15+1 ORI015"],
  ["@R0 NOP", "3:1+3 ORI016"],
  ["@ NOP", "3:3+3 ORI018 "],
  ["IADD R1, R2, R3 R4", "3:17+2 ORI017"],
  ["IADD R1, r2, R3", "3:10+2 ORI018 R2"],
  ["IADD R1, R99999999, R3", "3:10+9 ORI018"],
  ["LDG R1, [R2.64]", "3:10+5 ORI018 RD2"],
  ["S2R R1, SR_TID.W", "3:9+8 ORI019 SR_TID.X"],
  ["BRA BB11", "3:5+4 ORI020 BB1"],
  ["PHI R1, [BB77: 0]", "3:10+4 ORI020 BB0"],
  ["BB0:", "3:1+3 ORI021"],
  ["JMX R0, TT", "3:9+2 ORI022 T"],
  [".table T { BB0 }", "6:8+1 ORI023"],
  [".table U { }", "3:8+1 ORI023|3:8+1 ORI024"],
  [".table U { BB1 }", "3:8+1 ORI024"],
  ["MOV R1, nowhere", "3:9+7 ORI026"],
  ["LDS R1, [nowhere+4]", "3:10+7 ORI026"],
  ["PHI R1, [BB0: 0], [BB0: 1]", "3:20+3 ORI027"],
  ["MOV R1, 4294967296", "3:9+10 ORI028"],
  ["IADD R1, R2, 1.5", "3:14+3 ORI029"],
  [".weight BB1 1\n.weight BB1 2", "4:9+3 ORI030"],
];

/** Whole texts. */
const TEXTS: readonly (readonly [string, string])[] = [
  ["/* open", "1:1+2 ORI002"],
  ["NOP\nNOP\nBB0:\n", "1:1+3 ORI006 .kernel name()"],
  [".kernel f()\n.kernel g()\nEXIT\n", "1:9+1 ORI007"],
  [".kernel f()\nEXIT\n.kernel f()\nEXIT", "3:9+1 ORI008"],
  [".kernel f(a: R0, a: R1)\nEXIT", "1:21+2 ORI008"],
  [".kernel f(a: R0, b: R0)\nEXIT", "1:21+2 ORI008"],
  [".kernel f(a R0)\nEXIT", "1:13+2 ORI005"],
  [".kernel f() -> R2\nEXIT", "1:13+1 ORI005 .func"],
  [".symbol a global 8 4\n.symbol b global 8 8 addresses={0:c}", "2:35+1 ORI026"],
  [".symbol a global 8 4\n.symbol b global 8 8 addresses={4:a}", "2:36+1 ORI005"],
  [".symbol a global 8 4\n.symbol b global 8 8 addresses32={4:a+", "2:39+0 ORI003"],
  [".symbol a nowhere 4 4", "1:11+7 ORI005"],
  [".symbol a share 4 4", "1:11+5 ORI005 shared"],
  [".shared a 4\n.shared a 4", "2:9+1 ORI008"],
  [".shared a 4 3", "1:14+0 ORI005"],
  [".shared a 1 1 init=0011", "1:24+0 ORI005"],
  [".target", "1:8+0 ORI005"],
  [".kernel f()\nNOP\n", "2:1+0 ORI025 Add EXIT after its last instruction."],
  [".func f()\nBB0:\n@P0 RET\n", "3:1+0 ORI025 Add RET after its last instruction."],
  [".kernel f()\nEXIT\nEND:\n", "3:1+3 ORI025 Add EXIT after its last instruction."],
];

describe("diagnostics", () => {
  it.each(CASES)("%s", (line, expected) => {
    expect(say(inBody(line)).join("|")).toBe(expected.trimEnd());
  });

  it.each(TEXTS)("%j", (text, expected) => {
    expect(say(text).join("|")).toBe(expected);
  });

  it("has a fixture for every code but the cap", () => {
    const shown = new Set([...CASES, ...TEXTS].flatMap(([, e]) => [...e.matchAll(/ORI\d+/g)].map((m) => m[0])));
    expect([...shown].sort()).toEqual(CODES.filter((code) => code !== "ORI099"));
  });

  it("reports every bad line, up to 100 and the number of the rest", () => {
    const { diagnostics } = parseModule(`.kernel f()\n${"BOGUS\n".repeat(250)}EXIT\n`);
    expect(diagnostics.length).toBe(101);
    expect(diagnostics[99]).toMatchObject({ line: 101, code: "ORI010" });
    expect(diagnostics[100]).toMatchObject({ code: "ORI099", message: "150 more diagnostics are not shown." });
  });

  it("goes on after an error, also one inside a table over several lines", () => {
    const { module, diagnostics } = parseModule(".kernel f()\n.table T {\n BB0,\n 5,\n BB0\n}\nBB0:\nBOGUS\nEXIT\n.kernel g()\nEXIT");
    expect(diagnostics.map((d) => [d.line, d.code])).toEqual([
      [4, "ORI005"],
      [8, "ORI010"],
    ]);
    expect(module.funcs.map((f) => f.name)).toEqual(["f", "g"]);
  });
});

const shape = (text: string): string => {
  const [fn] = parseModule(text).module.funcs;
  return fn!.layout
    .map((id) => fn!.blocks[id]!)
    .map((b) => {
      const label = (id: number): string => fn!.blocks[id]!.label;
      return `${b.label}[${b.insts.map((i) => i.op).join(" ")}] -> ${b.succs.map(label).join(",")} <- ${b.preds.map(label).join(",")}`;
    })
    .join("\n");
};

it("reads a no-break space as a space, and names other invisible characters", () => {
  const text = inBody("    IADD\u00a0R1,\u00a0R0, 1");
  expect(parseModule(text).diagnostics).toEqual([]);
  expect(printModule(parseModule(text).module)).toBe(printModule(parseModule(text.replaceAll("\u00a0", " ")).module));
  const messages = (character: string) => parseModule(inBody(`    NOP ${character}`)).diagnostics.map(({ message }) => message);
  expect(["\u200b", "\u2028", "\u0000", "#"].map(messages)).toEqual([
    ["Unexpected invisible character U+200B."],
    ["Unexpected invisible character U+2028."],
    ["Unexpected invisible character U+0000."],
    ['Unexpected "#".'],
  ]);
});

describe("blocks", () => {
  it("closes a block after its branch; a conditional branch takes one more with it", () => {
    expect(
      shape(`.kernel f()
    NOP
BB1:
@P0 BRA BB3
    BRA BB1
    NOP
@P1 EXIT
    BRA BB3
    NOP
BB1.2:
@P0 BRA BB3
@P1 BRA BB1
    BRA P2, BB1.3
BB3: EXIT
`),
    ).toBe(
      [
        "BB0[NOP] -> BB1 <- ",
        "BB1[BRA BRA] -> BB3,BB1 <- BB0,BB1,BB1.2.1",
        "BB1.1[NOP EXIT] -> BB1.3 <- ",
        "BB1.3[BRA] -> BB3 <- BB1.1,BB1.2.2",
        "BB1.4[NOP] -> BB1.2 <- ",
        "BB1.2[BRA] -> BB3,BB1.2.1 <- BB1.4",
        "BB1.2.1[BRA] -> BB1,BB1.2.2 <- BB1.2",
        "BB1.2.2[BRA] -> BB1.3,BB3 <- BB1.2.1",
        "BB3[EXIT] -> ",
      ]
        .join("\n")
        .replace("BB3[EXIT] -> ", "BB3[EXIT] ->  <- BB1,BB1.3,BB1.2,BB1.2.2"),
    );
  });

  it("lists table successors in table order with the default last, once each", () => {
    expect(shape(".kernel f()\n.table T default=D { B, A, B, D, A }\nX: JMX R0, T\nA: EXIT\nB: EXIT\nD: EXIT\n")).toContain(
      "X[JMX] -> B,A,D <-",
    );
  });

  it("scopes labels by body and lets register names be labels", () => {
    const { module, diagnostics } = parseModule(".kernel f()\nR5: BRA R5\n.kernel g()\nR5: EXIT\n");
    expect(diagnostics).toEqual([]);
    expect(module.funcs.map((f) => f.blocks[0]!.succs)).toEqual([[0], []]);
  });

  it("finds an entry label that is free", () => {
    expect(shape(".kernel f()\nNOP\nBB0:\nENTRY:\nEXIT")).toContain("ENTRY.1[NOP]");
  });

  it("sets the counters above everything used", () => {
    const [fn] = parseModule(".func f(a: RD7) -> P9\nMOV R3, 1\nLDG UR2, [R6+UR11]\n@UP1 BSYNC B4\nRET").module.funcs;
    expect(fn!.nextReg.slice(0, 6)).toEqual([7, 8, 10, 12, 2, 5]);
    expect(fn!.nextInst).toBe(4);
  });
});

describe("line forms", () => {
  it("takes several statements on a line, semicolons, CRLF and a byte order mark", () => {
    const { module, diagnostics } = parseModule("\ufeff.kernel f()\r\nBB0: MOV R1, 1; MOV R2, 2 ; EXIT;\r\n");
    expect(diagnostics).toEqual([]);
    expect(printModule(module)).toBe(".kernel f()\nBB0:\n    MOV     R1, 1\n    MOV     R2, 2\n    EXIT\n");
  });

  it("keeps the comments of unusual places near their line, and settles after one round", () => {
    const once = printModule(
      parseModule(
        "// top\n.target sm_80 // t\n.kernel f( // p\n  a: R0\n)\n/* one */ BB0: /* two */ MOV R1, /* three */ 1 // four\n.table T { // five\nBB0 // six\n}\nEXIT /* seven\n  eight */\n// end",
      ).module,
    );
    for (const word of "top t p one two three four five six seven eight end".split(" ")) expect(once).toContain(word);
    expect(printModule(parseModule(once).module)).toBe(once);
  });
});

describe("the block's size that a kernel requires", () => {
  const sizeOf = (head: string) => parseModule(`${head}\nBB0:\n    EXIT\n`).module.funcs[0]?.blockSize;

  it("is read with one number to three, and printed with all of them", () => {
    expect(sizeOf(".kernel k()")).toBeNull();
    expect(sizeOf(".kernel k .reqntid 64")).toEqual([64, 1, 1]);
    const text = ".kernel k(n: R0) .reqntid 16, 8 // tiles\nBB0:\n    EXIT\n";
    const { module, diagnostics } = parseModule(text);
    expect(diagnostics).toEqual([]);
    expect(module.funcs[0]?.blockSize).toEqual([16, 8, 1]);
    const printed = printModule(module);
    expect(printed.split("\n")[0]).toMatch(/^\.kernel k\(n: R0\) \.reqntid 16, 8, 1 +\/\/ tiles$/);
    expect(printModule(parseModule(printed).module)).toBe(printed);
  });

  it.each([
    [".kernel k() .reqntid", "1:21+0 ORI003"],
    [".kernel k() .reqntid 0", "1:22+1 ORI005"],
    [".kernel k() .reqntid 2048", "1:22+4 ORI005"],
    [".kernel k() .reqntid 32, 33", "1:22+6 ORI005"],
    [".kernel k() .reqntid 1, 2, 3, 4", "1:29+1 ORI005"],
    [".func f() -> R1 .reqntid 32", "1:17+8 ORI005 .kernel"],
  ])("is refused where it can't be one: %s", (head, said) => {
    expect(say(`${head}\nBB0:\n    RET\n`)).toContain(said);
  });
});
