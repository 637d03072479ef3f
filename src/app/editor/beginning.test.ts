import { describe, expect, it } from "vitest";
import { beginningOf, INSTEAD, WHILE_LOADING } from "./beginning.ts";

const MOST = { lines: 3, characters: 20 };

describe("the beginning of a text", () => {
  it.each(["", "a", "a\nb\nc\n", "a\nb\nc", "x".repeat(20)])("is all of a short one: %j", (text) => {
    expect(beginningOf(text, MOST)).toEqual({ text, more: 0 });
  });
  it("ends with a line and counts the others", () => {
    expect(beginningOf("a\nb\nc\nd", MOST)).toEqual({ text: "a\nb\nc\n", more: 1 });
    expect(beginningOf("a\nb\nc\nd\n\ne\n", MOST)).toEqual({ text: "a\nb\nc\n", more: 3 });
    expect(beginningOf("\n".repeat(10), MOST)).toEqual({ text: "\n\n\n", more: 7 });
  });
  it("cuts long lines", () => {
    expect(beginningOf("x".repeat(50), MOST)).toEqual({ text: "x".repeat(20), more: 1 });
    expect(beginningOf(`${"x".repeat(50)}\ny\n`, MOST)).toEqual({ text: "x".repeat(20), more: 2 });
    expect(beginningOf(`a\n${"x".repeat(18)}\ny`, MOST)).toEqual({ text: `a\n${"x".repeat(18)}`, more: 2 });
  });
  it("has at most the lines and characters asked for, of the longest texts too", () => {
    for (const text of ["\n".repeat(300_000), "a".repeat(300_000), "add\n".repeat(100_000)])
      for (const most of [WHILE_LOADING, INSTEAD]) {
        const { text: shown, more } = beginningOf(text, most);
        expect(shown.length).toBeLessThanOrEqual(most.characters);
        expect(shown.split("\n").length - 1).toBeLessThanOrEqual(most.lines);
        expect(shown.split("\n").length - 1 + more).toBe(text.endsWith("\n") ? text.split("\n").length - 1 : 1);
      }
  });
});
