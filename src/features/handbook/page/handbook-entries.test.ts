import { describe, expect, it } from "vitest";
import passApi from "../../../../docs/pass-api.md?raw";
import { FLAG_BITS, FLAG2_BITS, FUNCTION_BITS } from "../../../app/names/record-fields.ts";
import { wordAt } from "../../../app/session/help.ts";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import type { Block, Inline } from "./entry.ts";
import { handbookOf, searchHandbook } from "./handbook-entries.ts";
import { SHOWN_BY } from "./shown-by.ts";
import { STRUCTURES } from "./structures-about.ts";

const tables = new EngineSession().handbook(DEFAULT_PIPELINE);
const book = handbookOf(tables, SHOWN_BY, passApi);

function linesOf(block: Block): readonly (readonly Inline[])[] {
  switch (block.kind) {
    case "text":
      return [block.line];
    case "list":
      return block.items;
    case "pairs":
      return block.rows.map(([, line]) => line);
    case "table":
      return block.rows.flat();
    case "heading":
      return [[block.text]];
    case "code":
      return [block.lines];
  }
}

const linesOfAll = book.entries.flatMap(({ id, body }) =>
  body()
    .flatMap(linesOf)
    .map((line) => ({ id, line })),
);

describe("the handbook", () => {
  it("has a page for every position, knob and opcode, each once", () => {
    expect(new Set(book.entries.map(({ id }) => id)).size).toBe(book.entries.length);
    for (const { id } of tables.phases) expect(book.find(`phase:${id}`)?.kind, id).toBe("phase");
    for (const { key } of tables.knobs) expect(book.find(`knob:${key}`)?.kind, key).toBe("knob");
    for (const { name } of tables.opcodes) expect(book.find(`opcode:${name}`)?.id, name).toBe(`opcode:${name}`);
  });

  it("finds pages by number, by name and by what an event calls a condition", () => {
    expect(book.find("phase:49")?.title).toBe("49 Value numbering");
    expect(book.find("structure:value-table")?.title).toBe("Value table");
    expect(book.find("field:+152")?.title).toContain("latch");
    expect(book.find("condition:gvn-cse:leader-dominates")).toBe(book.find("condition:gvn-cse:T4"));
    expect(book.find("opcode:LOP3")?.title).toBe("LOP3");
    expect(book.find("opcode:ISETP.GE.AND")?.title).toBe("ISETP");
    expect(book.find("knob:351")?.kind).toBe("knob");
    expect(book.find("opcode:NOSUCH")).toBeNull();
  });

  it("has a page for each name that a pass may call, found by its members as well", () => {
    expect(book.find("api:definePass")?.title).toBe("definePass");
    expect(book.find("api:terminators")?.title).toBe("Block");
    expect(book.find("api:refuse")?.title).toBe("Ctx");
    expect(book.find("api:noSuchThing")).toBeNull();
  });

  it("leads nowhere that has no page", () => {
    for (const { id, line } of linesOfAll)
      for (const piece of line)
        if (typeof piece !== "string" && "to" in piece) expect(book.find(piece.to), `${id} leads to ${piece.to}`).not.toBeNull();
  });

  it("leaves nothing empty and no hole of a sentence unfilled", () => {
    for (const { id, body } of book.entries) expect(body().length, id).toBeGreaterThan(0);
    for (const { id, line } of linesOfAll) {
      expect(line.length, id).toBeGreaterThan(0);
      for (const piece of line)
        if (typeof piece === "string") expect(piece, id).not.toMatch(/\{\w+:(inst|block|reg)s?\}|undefined|\[object/);
    }
  });

  it("says of every bit of the records what it says", () => {
    for (const { name } of [...FLAG_BITS, ...FLAG2_BITS, ...FUNCTION_BITS]) {
      const rows = linesOfAll.filter(({ line }) =>
        line.some((piece) => typeof piece !== "string" && "code" in piece && piece.code === name),
      );
      expect(rows.length, name).toBeGreaterThan(0);
    }
    const tablesOfBits = book.entries
      .filter(({ kind }) => kind === "field")
      .flatMap(({ body }) => body().flatMap((block) => (block.kind === "table" ? block.rows : [])));
    for (const [mask, , meaning] of tablesOfBits) expect(meaning?.[0], String(mask?.[0])).not.toBe("");
  });

  it("says of every structure what it holds, and how it is drawn", () => {
    expect(Object.keys(STRUCTURES).toSorted()).toEqual(Object.keys(SHOWN_BY.structures).toSorted());
    for (const { body, id } of book.entries.filter(({ kind }) => kind === "structure"))
      expect(JSON.stringify(body()), id).toContain('"Shown as",["a ');
  });

  it("searches by textbook names, numbers, offsets and functions of the binary", () => {
    const first = (query: string): string | undefined => searchHandbook(book.entries, query)[0]?.id;
    expect(first("49")).toBe("phase:49");
    expect(first("+152")).toBe("field:+152");
    expect(first("lop3")).toBe("opcode:LOP3");
    expect(first("mem2reg")).toBe("phase:37");
    expect(searchHandbook(book.entries, "sub_781F80").map(({ id }) => id)).toContain("phase:3");
    expect(searchHandbook(book.entries, "red-black").map(({ id }) => id)).toContain("structure:scope-tree");
    expect(searchHandbook(book.entries, "no such thing")).toEqual([]);
  });
});

it("takes the word at a column with its modifiers", () => {
  expect(wordAt("@!P1 ISETP.GE P0, R1", 8)).toBe("ISETP.GE");
  expect(wordAt("@!P1 ISETP.GE P0, R1", 6)).toBe("ISETP.GE");
  expect(wordAt("    EXIT", 1)).toBe("");
});
