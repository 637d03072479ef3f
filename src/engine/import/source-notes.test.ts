import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSassSource } from "../../features/sass/engine/source-notes.ts";
import { readPtxSource } from "./ptx/source-notes.ts";
import type { SourceReader } from "./source-note.ts";

const PTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.s32 %p1, %r2, %r1;
  @%p1 bra DONE;
  {
    .reg .b32 %r2;
    mov.u32 %r2, 7;
    add.s32 %r3, %r2, %r1;
  }
  add.s32 %r4,
          %r3,
          %r2;
  st.global.u32 [%rd1], %r4;
DONE:
  ret;
}
`;

/** The note at the n-th occurrence of `word` in a line. */
function at(reader: SourceReader, text: string, line: number, word: string) {
  const column = (text.split("\n")[line - 1] ?? "").indexOf(word) + 1;
  expect(column).toBeGreaterThan(0);
  return reader.noteAt(line, column);
}

describe("places of PTX", () => {
  const reader = readPtxSource(PTX);
  const note = (line: number, word: string) => at(reader, PTX, line, word);

  test("an opcode says what it does and how far the statement goes", () => {
    expect(note(19, "add.s32")).toEqual({
      func: "k",
      instruction: { line: 19, endLine: 21, opcode: "add.s32", meaning: "a + b" },
      name: null,
    });
    expect(note(21, "%r2")?.instruction?.line).toBe(19);
    expect(note(9, "ld")?.instruction?.meaning).toBe("load of a parameter");
  });

  test("a register knows its definitions and uses", () => {
    expect(note(12, "%r1")?.name).toMatchObject({ kind: "register", name: "%r1", about: ".b32", definitions: [10], uses: [12, 17] });
    expect(note(13, "%p1")?.name).toMatchObject({ about: ".pred", definitions: [12], uses: [13] });
    expect(note(22, "%rd1")?.name).toMatchObject({ definitions: [9], uses: [22] });
  });

  test("the same name in an inner scope is another register", () => {
    expect(note(17, "%r2")?.name).toMatchObject({ definitions: [16], uses: [17] });
    expect(note(11, "%r2")?.name).toMatchObject({ definitions: [11], uses: [12, 19] });
  });

  test("labels, parameters and special registers", () => {
    expect(note(13, "DONE")?.name).toMatchObject({ kind: "label", definitions: [23], uses: [13] });
    expect(note(23, "DONE")).toMatchObject({ instruction: null, name: { kind: "label", uses: [13] } });
    expect(note(10, "n]")?.name).toMatchObject({ kind: "variable", about: ".param .u32, 4 bytes", uses: [10] });
    expect(note(11, "%tid")?.name).toMatchObject({ kind: "special", name: "%tid.x", uses: [11] });
  });

  test("there is nothing to say of a declaration, a blank line or a place beyond the text", () => {
    expect(reader.noteAt(1, 3)).toBeNull();
    expect(reader.noteAt(5, 1)).toBeNull();
    expect(reader.noteAt(900, 1)).toBeNull();
    expect(reader.noteAt(12, 400)).toBeNull();
  });
});

const SASS = `	code for sm_90
		Function : k
        /*0000*/                   LDC R1, c[0x0][0x28] ;            /* 0x00000a00ff017b82 */
        /*0010*/                   S2R R2, SR_TID.X ;
        /*0020*/                   ISETP.GE.AND P0, PT, R2, R1, PT ;
        /*0030*/               @P0 EXIT ;
        /*0040*/                   IMAD.WIDE R4, R2, 0x4, R6 ;
        /*0050*/                   STG.E.64 desc[UR4][R4.64], R2 ;
        /*0060*/               @P0 BRA 0x40 ;
        /*0070*/                   EXIT ;
`;

describe("places of SASS", () => {
  const reader = readSassSource(SASS);
  const note = (line: number, word: string) => at(reader, SASS, line, word);

  test("an instruction says what it does", () => {
    expect(note(5, "ISETP")).toMatchObject({
      func: "k",
      instruction: { line: 5, opcode: "ISETP.GE.AND", meaning: "p = (a cmp b) [bool q]" },
    });
  });

  test("registers are counted with those that a wide operand takes in", () => {
    expect(note(8, "R4.64")?.name).toMatchObject({ kind: "register", definitions: [7], uses: [8] });
    expect(note(4, "R2")?.name).toMatchObject({ definitions: [4], uses: [5, 7, 8] });
    expect(note(6, "P0")?.name).toMatchObject({ definitions: [5], uses: [6, 9] });
  });

  test("an address leads to its instruction", () => {
    expect(note(9, "0x40")?.name).toMatchObject({ kind: "label", definitions: [7], uses: [9] });
    expect(note(7, "0x4")?.name).toBeNull();
    expect(note(4, "SR_TID.X")?.name).toMatchObject({ kind: "special", uses: [4] });
  });
});

describe("the listings of real compilers", () => {
  for (const [language, folder, read] of [
    ["ptx", "ptx", readPtxSource],
    ["sass", "../../features/sass/engine", readSassSource],
  ] as const) {
    const root = new URL(`./${folder}/fixtures/`, import.meta.url);
    test(`every ${language} instruction of the fixtures has a meaning`, () => {
      const without = new Set<string>();
      let instructions = 0;
      for (const file of readdirSync(root)) {
        const text = readFileSync(new URL(file, root), "utf8");
        const reader = read(text);
        for (const [i, line] of text.split("\n").entries()) {
          const found = reader.noteAt(i + 1, line.length - line.trimStart().length + 1)?.instruction;
          if (found === null || found === undefined) continue;
          instructions++;
          if (found.meaning === null) without.add(found.opcode);
        }
      }
      expect(instructions).toBeGreaterThan(3000);
      expect([...without]).toEqual([]);
    });
  }
});
