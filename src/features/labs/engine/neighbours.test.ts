import { describe, expect, it } from "vitest";
import { Desk } from "./desk.ts";
import { fence, HEAD, task } from "./testing/small-lab.ts";
import { TWO_ADDS } from "./testing/two-adds.ts";

const LONG = `.kernel k(n: R0, out: RD1)
BB0:
    IADD R2, R0, 4
    IADD R3, R0, 7
    IADD R2, R2, 1
    IADD R5, R0, 4
    IADD R3, R3, R5
    STG [RD1], R3
    STG [RD1 + 4], R2
    EXIT
`;
const ask = (program: string, when: string, more = ""): Desk => {
  const desk = new Desk();
  const body = `kind: predict\nask: Does it?\nprogram: p\nat: { phase: 49, when: "${when}" }\nwhat: verdict\nand: condition${more}`;
  const opened = desk.open(HEAD + fence("ori {name=p}", program) + task("t", body) + task("n", "kind: number\nask: x\nvalue: 1"));
  expect(opened.diagnostics).toEqual([]);
  return desk;
};
const lines = (text: string): number => text.trim().split("\n").length;

describe("programs beside that of a prediction", () => {
  it("a smaller one decides the same, a twin differs in one line and decides the other way", () => {
    for (const [program, verdict] of [
      [LONG, "no"],
      [TWO_ADDS, "yes"],
    ] as const) {
      const desk = ask(program, `verdict = ${verdict}`);
      const right = desk.solve("t", 0, 0) as { readonly verdict: string };
      expect(right.verdict).toBe(verdict);
      const smaller = desk.neighbour("t", 0, 0, "smaller");
      if (smaller !== null) expect(lines(smaller.place.text)).toBeLessThan(lines(program));
      if (verdict === "no") expect(smaller).not.toBeNull();
      const twin = desk.neighbour("t", 0, 0, "twin");
      expect(twin?.differs).not.toBeNull();
      const [before, after] = twin?.differs ?? ["", ""];
      expect(program.replace(/ +/g, " ")).toContain(before);
      expect(after).not.toBe(before);
      // The engine's answer to the same question about the twin is the other one.
      const asked = ask(twin?.place.text ?? "", `verdict = ${verdict === "yes" ? "no" : "yes"}`);
      expect(asked.solve("t", 0, 0)).toMatchObject({ verdict: verdict === "yes" ? "no" : "yes" });
      expect(twin?.place).toMatchObject({ phase: "gvn-cse", step: expect.any(Number) });
      expect(twin?.sentence).not.toBe("");
    }
  });

  it("say what becomes of the instruction that was asked about, and not of one that reads like the changed line", () => {
    const program = `.kernel clobber(n: R0, out: RD1)
BB0:
    IADD R2, R0, 4
    IADD R3, R0, 9
    IADD R4, R0, 4
    MOV R2, 7
    IADD R5, R0, 4
    IADD R6, R3, R3
    STG [RD1], R2
    STG [RD1+4], R4
    STG [RD1+8], R5
    STG [RD1+12], R6
    EXIT
`;
    const desk = ask(program, String.raw`inst = \"IADD R5, R0, 4\" and verdict = no`, "\nplan: { phases: [49] }");
    const twin = desk.neighbour("t", 0, 0, "twin");
    expect(twin?.differs).toEqual(["IADD R2, R0, 4", "IADD R4, R0, 4"]);
    expect(twin?.sentence).toMatch(/^'IADD R5, R0, 4'/);
  });

  it("are offered for verdicts and reasons alone", () => {
    const desk = ask(LONG, "verdict = no");
    expect(desk.task("t", 0, 0)).toMatchObject({ neighbours: true });
    expect(desk.task("n", 0, 0)).toMatchObject({ neighbours: false });
    expect(desk.neighbour("n", 0, 0, "twin")).toBeNull();
  });
});
