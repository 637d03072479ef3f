import { describe, expect, it } from "vitest";
import { flowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { shapeText } from "../generate/shapes.ts";
import { localNumbers } from "../machines/code.ts";
import { Stage } from "../stage.ts";
import { DIAMOND, fence, goodLab, judgeOne, task } from "../testing/small-lab.ts";
import { isReversePostOrder, someOrders } from "../walks.ts";
import { Context } from "./kind.ts";
import { kindOf } from "./kinds.ts";

const about = (fields: string): string => `ask: x\nprogram: p\n${fields}`;
/** Status, points of two, and the reason. */
const of = (fields: string, answer: unknown, program?: string): string => {
  const { status, points, reason } = judgeOne(about(fields), answer, program);
  return `${status} ${points}${reason === "" ? "" : `: ${reason}`}`;
};

describe("mark", () => {
  const rpo = "kind: mark\nwhat: rpo";
  it("takes every reverse post-order, and no other", () => {
    expect(of(rpo, { numbers: { BB0: 1, BB1: 3, BB2: 2, BB3: 4, BB4: 5 } })).toBe("right 2");
    expect(of(rpo, { numbers: { BB0: 1, BB2: 2, BB3: 3, BB1: 4, BB4: 5 } })).toBe("right 2");
    expect(of(rpo, { numbers: { BB0: 1, BB1: 2, BB2: 3, BB3: 4, BB4: 5 } })).toMatch(/^partly/);
    expect(of(rpo, { numbers: {} })).toMatch(/^wrong 0/);
    expect(of(rpo, { blocks: ["BB0"] })).toBe("wrong 0: expected a number for each block");
  });

  it("gives (right − spurious) ÷ n for sets", () => {
    expect(of("kind: mark\nwhat: loop-headers", { blocks: ["BB1"] })).toMatch(/^wrong 0/);
    expect(of("kind: mark\nwhat: back-edges", { edges: [["BB3", "BB1"]] })).toMatch(/does not belong/);
    expect(of("kind: mark\nwhat: live-in\nblock: BB3", { registers: ["R2", "R3", "RD1"] })).toBe("right 2");
    expect(of("kind: mark\nwhat: live-in\nblock: BB3", { registers: ["R2", "R3", "RD1", "R9"] })).toBe("partly 1.33: R9 does not belong");
    expect(of("kind: mark\nwhat: edges", { edges: [["BB0", "BB2"]] })).toBe(
      "partly 0.33: missing: BB0 → BB1, BB1 → BB3, BB2 → BB3, BB3 → BB1, BB3 → BB4",
    );
  });

  it("leaves the entry's dominator and unreachable blocks free", () => {
    const idom = "kind: mark\nwhat: idom";
    const parents = { BB1: "BB0", BB2: "BB0", BB3: "BB0", BB4: "BB3" };
    expect(of(idom, { parents })).toBe("right 2");
    expect(of(idom, { parents: { ...parents, BB0: null } })).toBe("right 2");
    expect(of(idom, { parents: { ...parents, BB4: "BB0" } })).toBe("partly 1.5: BB4 is BB3, not BB0");
  });

  it("knows where PHIs go and which blocks a phase removes", () => {
    expect(of("kind: mark\nwhat: phis\nregister: R3", { blocks: ["BB1", "BB3"] })).toBe("right 2");
    const cut =
      ".kernel e(n: R0, out: RD1)\nA:\n    BRA C\nB:\n    MOV R3, 1\nD:\n    STG [RD1], R3\n    BRA C\nC:\n    STG [RD1], R0\n    EXIT\n";
    const removed = "kind: mark\nwhat: removed\nphase: 15\nplan: { phases: [15] }";
    expect(of(removed, { blocks: ["B", "D"] }, cut)).toBe("right 2");
    expect(of(removed, { blocks: ["B"] }, cut)).toBe("partly 1: missing: D");
  });
});

describe("mark, by the lines of instructions", () => {
  const ROUND = `.kernel r(n: R0, out: RD1)
A:
    MOV R2, 0
    IADD R3, R0, 4
B:
    IADD R4, R0, 4
    IADD R2, R2, R4
    ISETP.LT P0, R2, 9
    @P0 BRA B
C:
    IADD R5, 4, R0
    STG [RD1], R5
    EXIT
`;
  it("knows which definitions reach a block", () => {
    const reaching = "kind: mark\nwhat: reaching\nblock: B";
    expect(of(reaching, { lines: [3, 4, 6, 7, 8] }, ROUND)).toBe("right 2");
    expect(of(reaching, { lines: [3, 4] }, ROUND)).toBe("partly 0.8: missing: line 6, line 7, line 8");
    expect(of(`${reaching}\nregister: R2`, { lines: [3, 7] }, ROUND)).toBe("right 2");
    expect(of(`${reaching}\nregister: R2`, { lines: [3, 7, 11] }, ROUND)).toBe("partly 1: line 11 does not belong");
  });
  it("takes any line of an available expression for the expression", () => {
    const available = "kind: mark\nwhat: available\nblock: C";
    expect(of(available, { lines: [4, 8] }, ROUND)).toBe("right 2");
    expect(of(available, { lines: [6, 11, 8] }, ROUND)).toBe("right 2");
    expect(of(available, { lines: [7, 8] }, ROUND)).toBe("wrong 0: missing: line 4; line 7 does not belong");
    expect(of("kind: mark\nwhat: available\nblock: B", { lines: [4] }, ROUND)).toBe("right 2");
  });
  it("knows what a loop computes anew in vain", () => {
    expect(of("kind: mark\nwhat: loop-invariant\nblock: B", { lines: [6] }, ROUND)).toBe("right 2");
    expect(of("kind: mark\nwhat: loop-invariant\nblock: B", { lines: [6, 8] }, ROUND)).toMatch(/^wrong 0: line 8 does not belong/);
    expect(of("kind: mark\nwhat: loop-invariant\nblock: C", { lines: [6] }, ROUND)).toMatch(/^error 2: .*C is no header of a natural loop/);
    expect(() => of("kind: mark\nwhat: available", { lines: [] }, ROUND)).toThrow("available needs block:");
  });
});

describe("a depth-first numbering", () => {
  it("is told from one that no walk gives, on every order of a small graph", () => {
    const graph = new Map([
      ["A", ["B", "C"]],
      ["B", ["D", "A"]],
      ["C", ["D"]],
      ["D", ["B"]],
    ]);
    const legal = new Set(someOrders(graph, "A").map((o) => o.join("")));
    for (const order of permutations(["A", "B", "C", "D"])) {
      const numbers = new Map(order.map((label, i) => [label, i + 1]));
      expect(isReversePostOrder(graph, "A", numbers), order.join("")).toBe(legal.has(order.join("")));
    }
  });
});

function permutations(items: readonly string[]): string[][] {
  return items.length < 2
    ? [[...items]]
    : items.flatMap((x, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [x, ...rest]));
}

describe("predict", () => {
  const gvn =
    'kind: predict\nwhat: verdict\nand: condition\nat: { phase: 49, when: "kind = match and reg = R3 or kind = match and verdict = no", nth: 2 }';
  it("asks what the event says, the reason by name or code", () => {
    expect(of(gvn, { verdict: "no", condition: "leader" })).toMatch(/^right 2/);
    expect(of(gvn, { verdict: "no", condition: "dominance" })).toMatch(/^partly 1: 'dominance': it is 'no', 'first-of-its-value'\. /);
    expect(of(gvn, { verdict: "yes" })).toMatch(/^wrong 0/);
  });
});

describe("fill", () => {
  it("compares sets as sets and values as values", () => {
    expect(of("kind: fill\nstructure: use\ncells: [BB3, BB4]", { cells: { BB3: "R3", BB4: "{R3, RD1}" } })).toBe("right 2");
    expect(of("kind: fill\nstructure: def\ncells: [BB1, BB4]", { cells: { BB1: "R2 R3", BB4: "R3" } })).toBe(
      "partly 1: BB4 is empty, not R3",
    );
    expect(of("kind: fill\nstructure: frontier\ncells: [BB1]", { cells: {} })).toBe("wrong 0: BB1 is BB3");
  });
  it("says that the task is broken, and gives its points, where there is no such structure", () => {
    expect(of("kind: fill\nstructure: nope\ncells: [a]\nat: 49:end", { cells: { a: 1 } })).toMatch(
      /^error 2: .*there is no structure 'nope'/,
    );
  });
});

describe("order", () => {
  const lines = "kind: order\nlines: [a, b, c, d]\ndistractors: [z]";
  it("counts the longest run in order", () => {
    expect(of(lines, { order: [0, 1, 2, 3] })).toBe("right 2");
    expect(of(lines, { order: [1, 0, 2, 3] })).toBe("partly 1.5: place 1 differs");
    expect(of(lines, { order: [0, 1, 4, 2, 3] })).toMatch(/^partly 1.5: 'z' does not belong/);
    expect(of(lines, { order: [0, 0, 0, 0] })).toMatch(/^wrong 0/);
  });
  it("takes any order that keeps the pairs, or that means the same", () => {
    const dag = "kind: order\nlines: [a, b, c]\njudge: dag\nbefore: [[0, 2], [1, 2]]";
    expect(of(dag, { order: [1, 0, 2] })).toBe("right 2");
    expect(of(dag, { order: [2, 0, 1] })).toMatch(/^wrong 0: 'a' comes before 'c'/);
    const frame = `kind: order\njudge: checker\nlines: ["IADD R2, R0, 1", "IADD R3, R2, R2", "MOV R4, 7"]\nframe: |\n  .kernel k(n: R0, out: RD1)\n  A:\n  {lines}\n      STG [RD1], R3\n      STG [RD1+4], R4\n      EXIT`;
    expect(of(frame, { order: [2, 0, 1] })).toBe("right 2");
    expect(of(frame, { order: [1, 0, 2] })).toMatch(/^partly/);
  });
  it("runs phases in an order and compares what they leave", () => {
    const work = ".kernel k(n: R0, out: RD1)\nA:\n    ISETP.LT P0, R0, 3\n    @P0 BRA B\nB:\n    STG [RD1], R0\n    EXIT\n";
    const smallest = "kind: order\njudge: smallest\nlines: [16, 15]";
    expect(of(smallest, { order: [1, 0] }, work)).toBe("right 2");
    expect(of(smallest, { order: [0, 1] }, work)).toMatch(/^wrong 0: this order leaves 3 instructions, the best 2/);
    const idle = ".kernel k(n: R0, out: RD1)\nA:\n    STG [RD1], R0\n    EXIT\n";
    expect(of(smallest, { order: [1, 0] }, idle)).toMatch(/^error 2: .*every order of these phases leaves 2 instructions/);
  });
});

describe("edit", () => {
  const text = (from: string, to: string): { ori: string } => ({ ori: DIAMOND.replace(from, to) });
  const unreachable = "kind: edit\nwant: [{ of: unreachable, at-least: 1 }]\nmost-lines: 1";
  it("holds the program to what is wanted", () => {
    expect(of(unreachable, text("@P0 BRA BB2", "BRA BB2"))).toMatch(/^wrong 0: unreachable: 0/);
    expect(of(unreachable, text("@P1 BRA BB1", "EXIT"))).toMatch(/^wrong|^right/);
    // Spellings are no changes: 4 and 0x4 are one offset.
    const near = "kind: edit\nwant: [{ of: instructions, equals: 12 }]\nmost-lines: 1";
    const spelt = DIAMOND.replace("[RD1], R3", "[RD1+4], R3");
    expect(of(near, { ori: spelt.replace("    STG", "    MOV   R9, 0x1\n    STG") }, spelt)).toBe("right 2");
    expect(of(unreachable, { ori: "nonsense" })).toMatch(/^wrong 0: the program has errors: line 1/);
  });
  it("runs the phase in the pipeline and compares the meaning", () => {
    const fires = "kind: edit\nphase: 16\nmust: fires\nsame-as: p";
    expect(of(fires, text("    STG", "    MOV R9, 1\n    STG"))).toBe("right 2");
    expect(of(fires, { ori: DIAMOND })).toMatch(/^wrong 0: OriPerformLiveDeadFirst changed nothing/);
    expect(of(fires, text("    STG [RD1], R3", "    MOV R9, 1\n    STG [RD1], R0"))).toMatch(/^wrong 0: the meaning differs/);
  });
});

describe("reach", () => {
  const dead = DIAMOND.replace("    STG", "    MOV R9, 1\n    STG");
  const reach = "kind: reach\nmeasure: instructions\nat-most: 11\nzero: 12\nallow: [phases]\nplan: { phases: [6] }";
  it("pays what a plan reaches with equal meaning, and refuses what is not allowed", () => {
    expect(of(reach, { plan: { phases: ["16"] } }, dead)).toBe("right 2");
    expect(of(reach, { plan: { phases: ["6"] } }, dead)).toMatch(/^wrong 0: 12 instructions; full points at 11/);
    expect(of(reach, { plan: { phases: ["16"], level: 1 } }, dead)).toBe("wrong 0: the plan sets level; the task allows phases");
    expect(of(reach, { plan: { phases: ["nope"] } }, dead)).toMatch(/^wrong 0: the plan cannot be run/);
  });
});

const SHARED = `.kernel s(a: RD0, out: RD1, n: R4)
A:
    ISETP.LT P0, R4, 5
    @P0 BRA C
B:
    IADD R6, R4, 3
    STG [RD1], R6
C:
    IADD R7, R4, 3
    STG [RD1+4], R7
    EXIT
`;

describe("broken phases", () => {
  const drop = "drop: 49:leader-dominates\nplan: { phases: [49], knobs: ['402=1'] }";
  it("are found by their condition, by an input, and by programs", () => {
    expect(of(`kind: find-wrong\nfind: condition\n${drop}`, { condition: "gvn-cse:leader-dominates" }, SHARED)).toBe("right 2");
    expect(of(`kind: find-wrong\nfind: condition\n${drop}`, { condition: "49:value-overwritten" }, SHARED)).toMatch(/^wrong 0/);
    expect(of(`kind: find-wrong\nfind: input\n${drop}`, { input: { args: ["n=9"], mem: ["a=64", "out=64"] } }, SHARED)).toMatch(/^wrong 0/);
  });
  it("a test that says nothing kills nothing", () => {
    const { status, reason } = judgeOne("kind: tests\nask: x\nagainst: ['49:leader-dominates', '83:other-uses']", {
      tests: [{ ori: DIAMOND }],
    });
    expect(`${status} ${reason}`).toMatch(/0 of 2 broken phases|by-hand|wrong/);
  });
});

describe("simulate", () => {
  const walk = "kind: simulate\nof: rpo";
  it("takes any legal choice, and takes a wrong move back", () => {
    const moves = ["BB0", "BB2", "BB3", "BB4", "done BB4", "BB1", "done BB1", "done BB3", "done BB2", "done BB0"];
    expect(of(walk, { moves })).toBe("right 2");
    expect(of(walk, { moves: ["BB1", ...moves] })).toBe("partly 1.8: move 1, 'BB1': the walk begins at BB0");
    expect(of(walk, { moves: moves.slice(0, 5) })).toMatch(/^partly 1/);
    expect(of(`${walk}\nmode: at-end`, { moves: ["BB1", ...moves] })).toMatch(/^wrong 0/);
  });

  it.each([
    "rpo",
    "reducible",
    "dominators",
    "liveness",
    "dead",
    "cascade\ncut: [[BB0, BB1]]",
    "phi-place\nregister: R3",
    "lvn\nblock: BB0",
  ])("solves %s by itself, on many programs", (fields) => {
    for (let seed = 1; seed <= 5; seed++) {
      const program =
        seed === 1 || /cut|R3|block/.test(fields) ? DIAMOND : (shapeText("values", seed, { size: 7, irreducible: seed % 3 === 0 }) ?? "");
      const lab = goodLab(fence("ori {name=p}", program) + task("t", about(`kind: simulate\nof: ${fields}`)));
      const [only] = lab.tasks;
      const ctx = new Context(new Stage(lab, 0), only!, 0);
      const solution = kindOf("simulate")!.solve(only!.spec, ctx) as { moves: string[] };
      const nothing = fields === "dead" || fields.startsWith("cascade");
      if (solution.moves.length === 0 && nothing) continue;
      expect(kindOf("simulate")!.judge(only!.spec, solution, ctx).share, program).toBe(1);
    }
  });

  it("ends at the analyses' own answer: liveness and dominators", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const program = shapeText("values", seed, { size: 8, irreducible: seed % 4 === 0 }) ?? "";
      const read = flowFacts(program);
      if (!read.ok) throw new Error("a generated program has errors");
      const lab = goodLab(
        fence("ori {name=p}", program) +
          task("t", about("kind: simulate\nof: liveness")) +
          task("d", about("kind: simulate\nof: dominators")),
      );
      for (const one of lab.tasks) {
        const { moves } = kindOf("simulate")!.solve(one.spec, new Context(new Stage(lab, 0), one, 0)) as { moves: string[] };
        const last = new Map(moves.map((m) => m.split(": ") as [string, string]));
        for (const block of read.facts.blocks) {
          const wanted = one.id === "d" ? (block.idom ?? undefined) : [...block.liveIn].sort().join(" ");
          const found =
            one.id === "d" ? last.get(block.label) : (last.get(block.label) ?? "").replace("none", "").split(" ").sort().join(" ");
          expect(found, `${block.label} of\n${program}`).toBe(wanted);
        }
      }
    }
  });

  it("numbers values as GvnCse does", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const program = shapeText("straight", seed, { size: 10, irreducible: false }) ?? "";
      const read = flowFacts(program);
      if (!read.ok) throw new Error("a generated program has errors");
      const { insts } = read.facts.blocks[0]!;
      const ours = localNumbers(insts);
      const session = new EngineSession();
      session.open(1, program, "ori");
      const { phases } = session.run(1, "lab", { ...DEFAULT_PIPELINE, phases: ["49"] });
      const info = session.trace(phases[0]!.run)!;
      const theirs = session.events(0, 0, info.steps).filter((e) => e.kind === "value-number");
      // The same partition: two lines are equal in one exactly when they are in the other.
      const pairs = insts.flatMap((inst, i) => {
        const other = theirs.find((e) => e.focus.insts?.[0] === i)?.facts.number;
        return ours[i] === null ? [] : [{ text: inst.text, number: ours[i]!, other }];
      });
      for (const a of pairs) {
        for (const b of pairs)
          if (a.number === b.number && a.other !== undefined && b.other !== undefined)
            expect(a.other === b.other, `${a.text} and ${b.text} in\n${program}`).toBe(true);
      }
    }
  });
});

describe("ordinary questions", () => {
  it("are judged by what is stated", () => {
    const choice = "kind: choice\noptions: [{ text: a, right: true }, { text: b, because: No b. }]";
    expect(of(choice, { choose: [0] })).toBe("right 2");
    expect(of(choice, { choose: [1] })).toBe("wrong 0: No b.");
    expect(of(choice, { choose: [0, 1] })).toMatch(/^wrong 0/);
    expect(of("kind: number\nof: edges", { number: 6 })).toBe("right 2");
    expect(of("kind: number\nvalue: 2\ntolerance: 0.5", { number: 2.6 })).toBe("wrong 0: it is 2, not 2.6");
    expect(judgeOne(about("kind: text\nleast: 3"), { text: "two words" })).toMatchObject({ status: "by-hand", points: null });
  });
});
