/** Jump tables in the API of passes: read, changed, removed, replayed outside; a block that a table names is never removed silently. */

import { describe, expect, it } from "vitest";
import { boxRunner } from "../../box/runner.ts";
import { replayOn } from "../replay.ts";
import { checkPass } from "./check.ts";
import { subjectOf } from "./testing/subject.ts";

const PROGRAM = `.kernel k(n: R0, a: RD1)
.table T base=1 default=D { B, C, B }
A:
  MOV R2, 0
  JMX R0, T
B:
  MOV R2, 1
  BRA E
C:
  MOV R2, 2
  BRA E
D:
  MOV R2, 3
E:
  STG [RD1], R2
  EXIT
`;

const passOf = (body: string): string => `import { definePass } from "oriscope/pass";
export default definePass({ name: "tables", run(fn, ctx) { ${body} } });
`;

describe("tables in a pass", () => {
  const runner = boxRunner();

  async function run(body: string, program = PROGRAM) {
    const source = passOf(body);
    const { code } = subjectOf(source, runner);
    const ask = { ask: "run", code, source: source.split("\n"), skips: [], fuel: null, record: true, lines: 0, twice: false } as const;
    const answer = await runner.ask({ ...ask, program: { text: program, nextReg: [] } });
    if (!("text" in answer)) throw new Error(JSON.stringify(answer));
    const done = replayOn(program, {
      name: "tables",
      summary: "",
      source: [""],
      script: answer.script,
      thrown: answer.thrown?.message ?? null,
    });
    if (!done.ok) throw new Error(done.message);
    return { ...answer, again: done.error };
  }

  it("shows name, base, entries, default and users", async () => {
    const { script } = await run(`
      const [t] = fn.tables;
      const jump = fn.entry.terminators[0];
      ctx.step([t.name, t.base, t.entries.map(String), t.default, t.users, jump.table === t, t.exists].join("|"));`);
    expect(script?.[0]).toEqual(["step", 5, "T|1|B,C,B|D|JMX R0, T|true|true", {}]);
  });

  it("gives lists that a pass may sort: the instruction stays as it is", async () => {
    const { script } = await run(`
      const store = fn.blocks.at(-1).insts[0];
      for (const list of [store.uses, store.sourceTexts, store.sources]) list.reverse();
      ctx.step([store.uses, store.sourceTexts, store.text].join("|"));`);
    expect(script?.[0]).toEqual(["step", 5, "RD1,R2|[RD1],R2|STG [RD1], R2", {}]);
  });

  it("lets entries be dropped and redirected, and edges follow; done again, it gives the same", async () => {
    const { text, again, thrown } = await run(`
      const [t] = fn.tables;
      const c = fn.block("C");
      ctx.rewrite("C is D", { block: c }, () => fn.setTable(t, { entries: t.entries.map((b) => (b === c ? t.default : b)).slice(0, 2) }));
      ctx.step(fn.entry.succs.map(String).join());
      fn.removeBlock(c);`);
    expect([thrown, again]).toEqual([null, null]);
    expect(text).toContain(".table T base=1 default=D { B, D }");
    expect(text).not.toContain("C:");
  });

  it("removes a table that nothing jumps through", async () => {
    const { text, again } = await run(`
      const [t] = fn.tables;
      fn.setTerminators(fn.entry, ["BRA E"]);
      fn.removeTable(t);
      ctx.step(String(t.exists));
      for (const label of ["B", "C", "D"]) fn.removeBlock(fn.block(label));`);
    expect(again).toBeNull();
    expect(text).not.toMatch(/table|C:|D:/);
  });

  it.each([
    [
      "fn.removeBlock(fn.block('C'))",
      "C cannot be removed: A refers to it|C cannot be removed: the table T refers to it. Change the table with setTable, or remove it with removeTable.",
    ],
    [
      "fn.setTerminators(fn.entry, ['BRA E']); fn.removeBlock(fn.block('C'))",
      "C cannot be removed: the table T refers to it. Change the table with setTable, or remove it with removeTable.",
    ],
    [
      "fn.setTerminators(fn.entry, ['BRA E']); fn.removeBlock(fn.block('D'))",
      "D cannot be removed: the table T refers to it. Change the table with setTable, or remove it with removeTable.",
    ],
    ["fn.removeTable(fn.tables[0])", "The table T cannot be removed: A jumps through it."],
    ["fn.setTable(fn.tables[0], { entries: [] })", "The table T needs an entry: redirect what jumps through it, then remove it."],
    ["fn.setTable(fn.tables[0], { entries: 'B' })", "The entries of a table must be given as a list of blocks."],
    ["fn.setTable(fn.tables[0], { entries: ['B'] })", "'B' is not a block."],
    ["fn.setTable('T', {})", "'T' is not a table."],
    ["fn.setTable(fn.tables[0], { base: 0.5 })", "The base of a table must be an integer."],
  ])("refuses %s with a sentence", async (body, said) => {
    const { thrown } = await run(body);
    expect(said.split("|")).toContain(thrown?.message);
  });

  it("a block that jumps through a table with itself in it is refused, too", async () => {
    const program = ".kernel k(n: R0)\n.table T default=B { B, C }\nA:\n  EXIT\nB:\n  JMX R0, T\nC:\n  EXIT\n";
    expect((await run("fn.removeBlock(fn.block('B'))", program)).thrown?.message).toMatch(/^B cannot be removed: the table T refers to it/);
  });

  it("such a failure is minimized like others", async () => {
    const subject = subjectOf(
      passOf("for (const t of fn.tables) { fn.setTerminators(fn.entry, ['EXIT']); fn.removeBlock(t.entries[0]); }"),
      runner,
    );
    const more = PROGRAM.replace("MOV R2, 0", "MOV R2, 0\n  IADD R3, R2, 1\n  IADD R4, R3, 1\n  STG [RD1], R4");
    const { failures } = await checkPass(subject, { given: [{ name: "p", text: more }], count: 0, seed: 1 });
    expect(failures[0]).toMatchObject({ law: "throws", message: expect.stringContaining("the table T refers to it") });
    expect(failures[0]!.program.split("\n").length).toBeLessThan(more.split("\n").length - 3);
  });
});
