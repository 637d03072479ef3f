import { describe, expect, it } from "vitest";
import { parseModule } from "../../../engine/text/parser.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { verifyFunc } from "../../../engine/verify/verify.ts";
import { importBril } from "./import.ts";
import { holdBril, jsonOf } from "./testing/held.ts";

const codes = (text: string) => importBril(text).diagnostics.map((d) => `${d.line}:${d.column}+${d.length} ${d.code}`);
const main = (...lines: string[]) => `@main {\n${lines.map((l) => `  ${l}`).join("\n")}\n}\n`;

describe("messages", () => {
  it.each([
    ["", "1:1+0 BRIL003"],
    ["# nothing\n", "1:1+0 BRIL003"],
    ["main {}", "1:1+4 BRIL004"],
    ["import f from 'x';\n@main {}", "1:1+6 BRIL004"],
    [main("x: int = const 5"), "2:19+1 BRIL005"],
    [main("x: int = const five;"), "2:18+4 BRIL006"],
    [main("x: int = const 9223372036854775808;"), "2:18+19 BRIL006"],
    [main("x: int = const true;"), "2:18+4 BRIL006"],
    [main("x: ptr<int> = const 0;"), "2:23+1 BRIL006"],
    [main("x: string = const 5;"), "2:6+6 BRIL010"],
    [main("x: int = const 1;", "x: bool = const true;"), "3:3+1 BRIL011"],
    [main("x: int = const 1;", "y: int = add x;"), "3:12+3 BRIL012"],
    [main("x: bool = const true;", "y: int = add x x;"), "3:16+1 BRIL012"],
    [main("x: int = const 1;", "y: bool = add x x;"), "3:3+1 BRIL012"],
    [main("x: int = const 1;", "y: int = load x;"), "3:17+1 BRIL012"],
    [main("x: int = const 1;", "br x .a .a;", ".a:"), "3:6+1 BRIL012"],
    [main("jmp .nowhere;"), "2:7+8 BRIL013"],
    [main("call @f;"), "2:8+2 BRIL014"],
    [`${main()}${main()}`, "4:1+5 BRIL015"],
    [main(".a:", ".a:", "jmp .a;"), "3:3+2 BRIL016"],
    [main("x: float = const 2.0;", "y: float = fpow x x;"), "3:14+4 BRIL017"],
    [main("speculate;"), "2:3+9 BRIL018"],
    [main("x: int = const 1;", "add x x;"), "3:3+3 BRIL019"],
    [main("print y;"), "2:9+1 BRIL020"],
    ["@main {\n  call @f;\n}\n@f: int {\n  ret;\n}", "5:3+3 BRIL023"],
    ["@main {\n  nop;\n@f {\n}", "3:1+2 BRIL005"],
    ['{"functions": [{"name": "main", "instrs": [}]}', "1:44+1 BRIL007"],
    ['{"functions": {}}', "1:15+1 BRIL008"],
    ['{"functions": [{"name": "main"}]}', "1:16+1 BRIL008"],
    ['{"functions": [{"name": 5, "instrs": []}]}', "1:25+1 BRIL008"],
    ['{"functions": [{"name": "main", "name": "f", "instrs": []}]}', "1:33+6 BRIL009"],
    ['{"functions": [{"name": "main", "instrs": [{"op": "const", "dest": "x", "type": "int", "value": "5"}]}]}', "1:97+3 BRIL006"],
    ['{"functions": [{"name": "main", "instrs": [{"op": "nop", "color": 1}]}]}', "1:67+1 BRIL024"],
  ])("%j", (text, wanted) => {
    expect(codes(text)[0]).toBe(wanted);
  });

  it("are all there, in order, and leave the rest of the program", () => {
    const text = main("x: int = const 1;", "y: int = addd x x;", "jmp .b;", "print z;", "w: int = const 2;");
    expect(codes(text)).toEqual(["3:12+4 BRIL017", "4:7+2 BRIL013", "5:9+1 BRIL020"]);
    expect(importBril(text).diagnostics[0]?.suggestion).toBe("add");
    expect(importBril(text).module.funcs[0]?.blocks.length).toBeGreaterThan(0);
  });
});

describe("forms", () => {
  const PROGRAM = `@add3(a: int, b: int, c: int): int {
  s: int = add a b;
  s: int = add s c;
  ret s;
}
@main(n: int, f: float, b: bool, c: char) {
.top:
  x: int = const -9007199254740993;
  y: int = call @add3 x n n;
  br b .yes .no;
.yes:
  print y f b c;
  jmp .end;
.no:
  nb: bool = not b;
  print nb;
.end:
}
`;

  it("text and JSON give the same program", () => {
    const [text, json] = [importBril(PROGRAM), importBril(jsonOf(PROGRAM))];
    expect(text.diagnostics).toEqual([]);
    expect(json.diagnostics).toEqual([]);
    expect(printModule(json.module)).toBe(printModule(text.module));
  });

  it("what comes out is Ori that can be printed and read again", () => {
    const { module } = importBril(PROGRAM);
    expect(module.funcs.flatMap((fn) => verifyFunc(fn, module))).toEqual([]);
    const again = parseModule(printModule(module));
    expect(again.diagnostics).toEqual([]);
    expect(printModule(again.module)).toBe(printModule(module));
  });

  it("inlines what does not call itself and keeps what does", () => {
    const text = `@twice(n: int): int {\n  m: int = add n n;\n  ret m;\n}
@down(n: int): int {\n  z: int = const 0;\n  c: bool = le n z;\n  br c .a .b;\n.a:\n  ret z;\n.b:\n  o: int = const 1;\n  m: int = sub n o;\n  r: int = call @down m;\n  ret r;\n}
@main(k: int, n: int) {\n  a: int = call @twice n;\n  b: int = call @down a;\n  print b;\n}`;
    const { module, oriNames } = importBril(text);
    const calls = module.funcs.map((fn) => [
      fn.name,
      fn.layout.flatMap((id) =>
        fn.blocks[id]!.insts.filter((i) => i.op === "CALL").map((i) => (i.ops[0]!.kind === "sym" ? i.ops[0].name : "")),
      ),
    ]);
    expect(Object.fromEntries(calls)).toMatchObject({ main: ["down", "print.int"], down: ["down"], twice: [] });
    // A variable of an inlined function lives in both.
    expect(oriNames("twice", "m").length).toBe(2);
  });

  it("a main that calls itself becomes a function that main calls", () => {
    const text = `@main(n: int): int {
  zero: int = const 0;
  done: bool = eq n zero;
  br done .end .more;
.more:
  one: int = const 1;
  m: int = sub n one;
  r: int = call @main m;
  print m r;
.end:
  ret n;
}`;
    const { module, diagnostics, oriNames } = importBril(text);
    expect(diagnostics).toEqual([]);
    expect(module.funcs.map((fn) => [fn.name, fn.kind])).toMatchObject([
      ["main", "kernel"],
      ["main.1", "func"],
      ["print.int.int", "func"],
    ]);
    expect(oriNames("main", "m").length).toBe(1);
    expect(holdBril(text, [{ name: "n", type: "int", text: "7" }], [{}])).toEqual({ difference: null, effective: true });
  });

  it("a call of a call of a call stays once the caller is too large", () => {
    const functions = ["@f0(n: int): int {\n  n: int = add n n;\n  ret n;\n}"];
    for (let i = 1; i < 24; i++)
      functions.push(`@f${i}(n: int): int {\n  n: int = call @f${i - 1} n;\n  n: int = call @f${i - 1} n;\n  ret n;\n}`);
    const { module, diagnostics } = importBril(
      `${functions.join("\n")}\n@main {\n  x: int = const 1;\n  x: int = call @f23 x;\n  print x;\n}`,
    );
    expect(diagnostics.map((d) => d.code)).toContain("BRIL021");
    expect(Math.max(...module.funcs.map((fn) => fn.nextInst))).toBeLessThan(10_000);
  });

  it("labels and functions with names of registers or of ours keep apart", () => {
    const text =
      "@free(p: int) {\n.R1:\n  print p;\n  jmp .P0;\n.P0:\n}\n@main {\n  x: int = const 3;\n  call @free x;\n  y: ptr<int> = alloc x;\n  free y;\n}";
    const { module, diagnostics } = importBril(text, { inline: false });
    expect(diagnostics).toEqual([]);
    expect(module.funcs.map((fn) => fn.name)).toEqual(["main", "free$2", "print.int", "alloc.int", "free"]);
    expect(parseModule(printModule(module)).diagnostics).toEqual([]);
  });

  it("phis with labels become PHIs, those of bools copies", () => {
    const text = `@main(c: bool) {
.a:
  x: int = const 1;
  p: bool = const true;
  br c .b .d;
.b:
  y: int = const 2;
.d:
  z: int = phi x .a y .b;
  w: int = phi z .a z .b;
  q: bool = phi p .a c .b;
  print z w q;
}`;
    const { module, diagnostics } = importBril(text);
    expect(diagnostics).toEqual([]);
    expect(module.funcs.flatMap((fn) => verifyFunc(fn, module))).toEqual([]);
    // The second phi reads what the first one has just been given.
    expect(printModule(module)).toMatch(/PHI +RD0, \[a: RD1\], \[b: RD2\]\n +PHI +RD3, \[a: RD1\], \[b: RD2\]/);
  });
});

describe("hostile texts", () => {
  const big = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));

  it.each([
    ["10 MB of words", big("word ", 10_000_000)],
    ["10 MB of braces", big("{", 10_000_000)],
    ["functions that do not end", big("@f {\n", 1_000_000)],
    ["one long name", `@main {\n  ${big("x", 2_000_000)}`],
    ["a number of 2 MB", main(`x: int = const ${big("9", 2_000_000)};`)],
    ["deep JSON", `{"functions": ${big("[", 1_000_000)}`],
    ["deep types in JSON", `{"functions": [{"name": "main", "instrs": [{"op": "id", "dest": "x", "type": ${big('{"ptr":', 200_000)}`],
    ["deep types in text", main(`x: ${big("ptr<", 400_000)}int = id y;`)],
    ["a label of 5 MB", main(`jmp .${big("l", 5_000_000)};`)],
    ["JSON with one key many times", `{${big('"functions": [], ', 1_000_000)}"functions": []}`],
    ["a string that does not end", '{"functions": "'],
    ["names of the prototype", '{"functions": [{"name": "__proto__", "instrs": [{"op": "constructor", "args": ["toString"]}]}]}'],
    ["only a number", "{1"],
    ["a binary", "\u007fELF\u0000\u0000{"],
  ])("%s", { timeout: 60_000 }, (_, text) => {
    const { diagnostics } = importBril(text);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThan(203);
    for (const d of diagnostics) expect(d.message.length).toBeLessThan(300);
  });

  it("reads a program of 50,000 instructions", () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `x${i % 100}: int = const ${i};`);
    const { module, diagnostics } = importBril(main(...lines));
    expect(diagnostics).toEqual([]);
    expect(module.funcs[0]?.nextInst).toBe(50_001);
  });

  it("survives any cut of a program", () => {
    const text = main(
      "x: int = const 1;",
      "p: ptr<int> = alloc x;",
      "c: char = const 'a';",
      ".l:",
      "br b .l .m;",
      "call @f x;",
      "y: int = phi x .l x .m;",
    );
    const json = jsonOf(text);
    for (const whole of [text, json]) {
      for (let i = 0; i < whole.length; i++) {
        expect(() => importBril(whole.slice(0, i))).not.toThrow();
        expect(() => importBril(whole.slice(0, i) + whole.slice(i + 1))).not.toThrow();
      }
    }
  });
});
