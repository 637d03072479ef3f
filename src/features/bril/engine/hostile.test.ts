/** Messages for wrong programs and hostile texts: one line each, with its position, in the program's own words. */

import { describe, expect, it } from "vitest";
import { importBril } from "./import.ts";

const main = (body: string): string => `@main {\n${body}}\n`;
const json = (instrs: string): string => `{"functions":[{"name":"main","instrs":[${instrs}]}]}`;
const said = (text: string): readonly string[] =>
  importBril(text).diagnostics.map((d) => `${d.line}:${d.column}+${d.length} ${d.severity} ${d.code} ${d.message}`);

const TEXT: readonly (readonly [what: string, text: string, ...said: string[]])[] = [
  [
    "no end",
    main("  print x;\n").slice(0, -2),
    "2:9+1 warning BRIL020 nothing in @main gives x a value",
    "3:1+0 error BRIL005 expected '}' at the end of @main",
  ],
  ["no end, and another function", "@f {\n@main {\n}\n", "2:1+5 error BRIL005 expected '}' at the end of @f"],
  ["no semicolon", main("  x: int = const 1\n  print x;\n"), "2:19+1 error BRIL005 expected ';' at the end of this line"],
  ["no colon", main(".l\n  jmp .l;\n"), "2:3+1 error BRIL005 expected ':' after the label at the end of this line"],
  ["no such label", main("  jmp .nowhere;\n"), "2:7+8 error BRIL013 there is no label .nowhere in @main"],
  ["a label twice", main(".a:\n.a:\n"), "3:1+2 warning BRIL016 the label .a occurs twice; the first one counts"],
  ["a function twice", "@main {\n}\n@main {\n}\n", "3:1+5 error BRIL015 there are two functions @main"],
  ["no main", "@f {\n}\n", "1:1+2 info BRIL026 there is no @main: each function can be run by itself, beginning with @f"],
  ["no such function", main("  call @f;\n"), "2:8+2 error BRIL014 there is no function @f"],
  ["too few arguments", `@f(a: int) {\n}\n${main("  call @f;\n")}`, "4:3+4 error BRIL012 @f takes one argument, not 0"],
  ["no result", `@f {\n}\n${main("  x: int = call @f;\n")}`, "4:3+1 error BRIL019 @f returns nothing"],
  [
    "an end without a value",
    `@f: int {\n}\n${main("  x: int = call @f;\n  print x;\n")}`,
    "2:1+2 warning BRIL025 @f may end here without a value: it gives 0",
  ],
  [
    "a ret without a value",
    `@f: int {\n  ret;\n}\n${main("  x: int = call @f;\n")}`,
    "2:3+3 warning BRIL023 @f returns int, and this gives no values",
  ],
  [
    "no such operation",
    main("  x: int = ad x x;\n"),
    "2:1+0 warning BRIL025 nothing gives x a value before it is read here: it is 0",
    "2:12+2 warning BRIL017 there is no operation ad; it stays opaque and may do anything",
  ],
  ["another result", main("  x: int = const 1;\n  y: bool = add x x;\n"), "3:3+1 error BRIL012 add gives int here, and y is bool"],
  [
    "another argument",
    main("  x: bool = const true;\n  y: int = mul x x;\n"),
    "3:16+1 error BRIL012 x is bool, and int is expected here",
    "3:18+1 error BRIL012 x is bool, and int is expected here",
  ],
  ["2^63", main("  x: int = const 9223372036854775808;\n  print x;\n"), "2:18+19 error BRIL006 9223372036854775808 does not fit 64 bits"],
  ["400 digits", main(`  x: int = const ${"9".repeat(400)};\n`), `2:18+400 error BRIL006 ${"9".repeat(40)}… does not fit 64 bits`],
  ["a fraction", main("  x: int = const 1.5;\n  print x;\n"), "2:18+3 error BRIL006 1.5 is not an int"],
  [
    "two characters",
    main("  c: char = const 'ab';\n  print c;\n"),
    "2:19+1 error BRIL006 a character is one between two quotes, such as 'a'",
  ],
  ["no literal", main("  x: int = const;\n  print x;\n"), "2:17+1 error BRIL006 expected a literal, not ';'"],
  ["no such type", main("  x: long = const 1;\n"), "2:6+4 error BRIL010 there is no type long here"],
  [
    "a type too deep",
    main(`  p: ${"ptr<".repeat(2000)}int${">".repeat(2000)} = alloc p;\n`),
    "2:70+3 error BRIL010 pointers are followed 16 deep; this type goes deeper",
  ],
  ["two types", main("  x: int = const 1;\n  x: bool = const true;\n"), "3:3+1 error BRIL011 x is bool here and int in line 2"],
  [
    "read too early",
    main("  print x;\n  x: int = const 1;\n"),
    "2:1+0 warning BRIL025 nothing gives x a value before it is read here: it is 0",
  ],
  ["got too early", main("  x: int = get;\n  print x;\n"), "2:1+0 warning BRIL025 nothing is set for x before it is got here: it is 0"],
  ["speculation", main("  speculate;\n"), "2:3+9 error BRIL018 speculate has no form here: speculation is not supported"],
  [
    "an import",
    `from "x.bril" import @f;\n${main("")}`,
    "1:1+4 error BRIL004 imports of other files are not supported: put the functions into this text",
  ],
  ["a brace too many", `${main("")}}\n`, "3:1+1 error BRIL004 expected a function such as '@main {', not '}'"],
  ["noise", main("  ??? $$$ !!!\n"), "2:3+1 error BRIL005 expected an instruction, a label or '}', not '?'"],
  ["a phi of two minds", main(".a:\n  x: int = phi x .a x;\n"), "3:12+3 error BRIL012 phi takes as many labels as arguments, not 1 and 2"],
  ["a parameter twice", "@main(a: int, a: int) {\n}\n", "1:15+1 error BRIL015 there are two parameters a"],
];

const JSON_TEXTS: typeof TEXT = [
  ["cut off", '{"functions":[{"name":"main","instrs":[{"op"', "1:45+0 error BRIL007 the JSON ends too early"],
  ["deep", `{"functions":${"[".repeat(200_000)}`, "1:78+1 error BRIL007 values are nested deeper than 64"],
  ["a key twice", json('{"op":"nop","op":"ret"}'), "1:52+4 error BRIL009 the key 'op' occurs twice in this object"],
  ["no list", '{"functions":{}}', "1:14+1 error BRIL008 functions is a list, not an object"],
  ["no object", '{"functions":[null]}', "1:15+4 error BRIL008 a function is an object, not null"],
  ["no name", '{"functions":[{"name":5,"instrs":[]}]}', "1:23+1 error BRIL008 a function's name is a string, not a number"],
  ["no names", json('{"op":"print","args":[1]}'), "1:62+1 error BRIL008 an entry of args is a string, not a number"],
  ["no operation", json("{}"), "1:40+1 error BRIL008 the key 'op' is missing: the operation"],
  [
    "another type",
    json('{"op":"const","dest":"x","type":{"vec":"int"},"value":1}'),
    "1:72+1 error BRIL010 the only type with a parameter here is ptr",
  ],
  ["no functions", '{"functions":[]}', "1:1+0 error BRIL003 the text contains no function"],
  ["more behind", '{"functions":[]} x', "1:18+1 error BRIL007 there is more after the end of the JSON value"],
  ["both", json('{"label":"a","op":"nop"}'), "1:58+5 warning BRIL024 the format has no key 'op' here; it was ignored"],
];

describe("of a wrong program", () => {
  it.each([...TEXT, ...JSON_TEXTS])("%s", (_, text, ...messages) => {
    expect(said(text)).toEqual(messages);
  });
});

describe("of a large one", () => {
  it.each([
    ["a line of 2 MB", `@main {\n  print ${"x ".repeat(1_000_000)};\n}\n`, "2:2009+1 error BRIL027 print has more than 1000 arguments"],
    ["as many parameters", `@main(${"a: int, ".repeat(250_000)}) {\n}\n`, "1:8013+1 error BRIL027 @main has more than 1000 parameters"],
    ["as many braces", `@main ${"{".repeat(2_000_000)}`, "1:8+1 error BRIL005 expected an instruction, a label or '}', not '{'"],
    [
      "entries of JSON",
      json(`{"op":"print","args":[${Array(400_000).fill('"x"').join(",")}]}`),
      "error BRIL027 args has more than 1000 entries",
    ],
  ])("%s", { timeout: 120_000 }, (_, text, message) => {
    expect(said(text).join("\n")).toContain(message);
  });

  it("stays a call where functions put into each other would double 40 times", () => {
    const levels = Array.from({ length: 40 }, (_, i) => `@f${i} {\n${i === 0 ? "" : `  call @f${i - 1};\n  call @f${i - 1};\n`}}\n`);
    const { diagnostics, module } = importBril(`${levels.join("")}${main("  call @f39;\n")}`);
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(module.funcs[0]?.name).toBe("main");
  });
});
