import { describe, expect, it } from "vitest";
import { type FlowFacts, type FlowInst, flowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { compareTexts } from "../../../../engine/api/exec/compare.ts";
import { seededRandom } from "../../../../engine/api/exec/generate.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { shapeText } from "../generate/shapes.ts";
import { Context } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import { BrokenTask, Stage } from "../stage.ts";
import { DIAMOND, fence, goodLab, judgeOne, task } from "../testing/small-lab.ts";

const simulate = kindOf("simulate")!;

const judge = (fields: string, moves: readonly string[], program = DIAMOND): string => {
  const { status, points, reason } = judgeOne(`kind: simulate\nask: x\nprogram: p\nof: ${fields}`, { moves }, program);
  return `${status} ${points}${reason === "" ? "" : `: ${reason}`}`;
};

/** The built-in moves; null if the machine rejects the program. */
function solved(fields: string, program: string, stageSeed = 0): string[] | null {
  const lab = goodLab(fence("ori {name=p}", program) + task("t", `kind: simulate\nask: x\nprogram: p\nof: ${fields}`));
  const ctx = new Context(new Stage(lab, stageSeed), lab.tasks[0]!, 0);
  try {
    const { moves } = simulate.solve(lab.tasks[0]!.spec, ctx) as { moves: string[] };
    expect(simulate.judge(lab.tasks[0]!.spec, { moves }, ctx).share, program).toBe(1);
    return moves;
  } catch (error) {
    if (error instanceof BrokenTask) return null;
    throw error;
  }
}

const factsOf = (program: string): FlowFacts => {
  const read = flowFacts(program);
  if (!read.ok) throw new Error(`${read.diagnostics[0]?.message} in\n${program}`);
  return read.facts;
};

describe("rb-insert", () => {
  const keys = "rb-insert\nkeys: [10, 20, 30, 40]";
  const moves = [
    "insert 10 root",
    "recolour 10",
    "insert 20 right of 10",
    "insert 30 right of 20",
    "recolour 20 10",
    "rotate left 10",
    "insert 40 right of 30",
    "recolour 30 10 20",
    "recolour 20",
  ];
  it("takes each step in any spelling, and says why another one is wrong", () => {
    expect(judge(keys, moves)).toBe("right 2");
    expect(
      judge(
        keys,
        moves.map((m) => m.toUpperCase().replace("RECOLOUR", "recolor")),
      ),
    ).toBe("right 2");
    expect(judge(keys, [...moves.slice(0, 4), "rotate left 10", ...moves.slice(4)])).toMatch(/^partly 1.78: move 5.*colours first$/);
    expect(judge(keys, [...moves.slice(0, 3), "insert 30 right of 10", ...moves.slice(3)])).toMatch(/walk down from the root/);
    expect(judge(keys, ["hello"])).toMatch(/^wrong 0: move 1, 'hello': a move inserts, recolours or rotates/);
  });

  it("leaves a red-black tree of all keys, whatever they are", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const own = [...new Set(Array.from({ length: 12 }, () => random.below(60)))];
      const steps = solved(`rb-insert\nkeys: [${own.join(", ")}]`, DIAMOND)!;
      expect(checkTree(steps), `seed ${seed}: ${own.join(" ")}`).toEqual([...own].sort((a, b) => a - b));
    }
  });

  it("draws keys of its own for each student, always with rotations, and needs no program", () => {
    const lab = goodLab(task("t", "kind: simulate\nask: x\nof: rb-insert"), "---\ntitle: T\nid: t\nversion: 1\nseed: per-student\n---\n");
    const drawn = new Set<string>();
    for (let seed = 1; seed <= 30; seed++) {
      const ctx = new Context(new Stage(lab, seed), lab.tasks[0]!, 0);
      const { moves: own } = simulate.solve(lab.tasks[0]!.spec, ctx) as { moves: string[] };
      drawn.add(simulate.drawn!(lab.tasks[0]!.spec, ctx)!);
      expect(own.filter((m) => m.startsWith("rotate")).length).toBeGreaterThanOrEqual(2);
      expect(Math.abs(own.length - 16)).toBeLessThanOrEqual(1);
    }
    expect(drawn.size).toBe(30);
  });
});

interface Node {
  left: number | null;
  right: number | null;
  parent: number | null;
  red: boolean;
}

/** Applies the moves to a second tree; the keys in order, after the rules of red-black trees were checked. */
function checkTree(moves: readonly string[]): number[] {
  const nodes = new Map<number, Node>();
  const at = (key: number): Node => nodes.get(key)!;
  const hang = (child: number | null, under: number | null, side: "left" | "right"): void => {
    if (under !== null) at(under)[side] = child;
    if (child !== null) at(child).parent = under;
  };
  for (const move of moves) {
    const numbers = (move.match(/\d+/g) ?? []).map(Number);
    const [key = 0, parent] = numbers;
    if (move.startsWith("insert")) {
      nodes.set(key, { left: null, right: null, parent: null, red: true });
      if (parent !== undefined) hang(key, parent, move.includes("left") ? "left" : "right");
    } else if (move.startsWith("recolour")) for (const n of numbers) at(n).red = !at(n).red;
    else {
      const [down, up] = move.includes("left") ? (["left", "right"] as const) : (["right", "left"] as const);
      const { parent: above, [up]: risen } = at(key);
      const side = above !== null && at(above).left === key ? "left" : "right";
      hang(at(risen!)[down], key, up);
      hang(key, risen, down);
      hang(risen, above, side);
    }
  }
  const [root] = [...nodes.keys()].filter((key) => at(key).parent === null);
  const order: number[] = [];
  const height = (key: number | null): number => {
    if (key === null) return 0;
    const { left, right, red } = at(key);
    if (red) for (const child of [left, right]) expect(child !== null && at(child).red, `red ${key} has a red child`).toBe(false);
    const one = height(left);
    order.push(key);
    expect(height(right), `black height below ${key}`).toBe(one);
    return one + (red ? 0 : 1);
  };
  height(root!);
  expect(at(root!).red).toBe(false);
  return order;
}

const SPLIT = `.kernel k(out: RD1)
A:
    S2R R2, SR_TID.X
    ISETP.LT P0, R2, 2
    @P0 BRA C
B:
    IADD R3, R2, 1
    BRA D
C:
    IADD R3, R2, 2
D:
    SHL R4, R2, 2
    EXIT
`;

describe("reconvergence", () => {
  const four = 'reconvergence\ninput: { threads: 4, mem: ["out=64"] }';
  it("lets groups go in any order, and makes lanes wait where they meet", () => {
    expect(judge(four, ["A: 0-3", "C: 0 1", "B: 2 3", "D: 0 1 2 3"], SPLIT)).toBe("right 2");
    expect(judge(four, ["A: 0-3", "B: 2-3", "C: 1 0", "D: 0-3"], SPLIT)).toBe("right 2");
    expect(judge(four, ["A: 0-3", "B: 0-1", "B: 2-3", "C: 0 1", "D: 2 3", "D: 0-3"], SPLIT)).toMatch(
      /^partly 1: move 2, 'B: 0-1': lane 0 does not go to B now/,
    );
    expect(judge(four, ["A: 0-3", "C: 0 1", "D: 0 1"], SPLIT)).toMatch(/these lanes wait for others there/);
    expect(judge(four, ["A: 0 1"], SPLIT)).toMatch(/^wrong 0: move 1, 'A: 0 1': these lanes wait for others/);
    expect(judge(four, ["A: x", "Z: 0"], SPLIT)).toMatch(/^wrong 0: move 1, 'A: x': a move is a block, a colon, and lanes/);
  });

  it("solves programs with loops in which every lane has its own number of rounds", () => {
    const loop = SPLIT.replace("D:\n", "D:\n    IADD R2, R2, 1\n    ISETP.LT P1, R2, 3\n    @P1 BRA D\nE:\n");
    expect(solved(four, loop)).toEqual(["A: 0 1 2 3", "C: 0 1", "B: 2 3", "D: 0 1 2 3", "D: 0 1", "D: 0", "E: 0 1 2 3"]);
  });

  it("says that a task is broken, and gives its points, where the program never ends", () => {
    expect(judge(four, ["A: 0-3"], ".kernel k(out: RD1)\nA:\n    BRA A\n")).toMatch(/^error 2: /);
    expect(judge("reconvergence\ninput: { threads: 64 }", ["A: 0"], SPLIT)).toMatch(/^error 2: .*a warp has 32 lanes/);
  });
});

describe("flatten", () => {
  const TREE = `.kernel k(a: R0, b: R1, c: R2, out: RD2)
A:
    IADD R5, R2, R0
    ISUB R6, R5, 7
    IMUL R7, R0, R1
    IADD R8, R6, R7
    STG [RD2], R8
    EXIT
`;
  const fields = "flatten\nblock: A\nregister: R8";
  const moves = ["take R6", "take R5", "leaf R2", "leaf R0", "leaf -7", "leaf R7", "next R0", "next R2", "next R7", "next -7"];
  it("takes in what has one reader and the same operation, and sorts constants last", () => {
    expect(solved(fields, TREE)).toEqual(moves);
    expect(judge(fields, ["leaf R7", "take R6", "leaf -7", "take R5", "leaf R0", "leaf R2", ...moves.slice(6)], TREE)).toBe("right 2");
    expect(judge(fields, ["take R7", ...moves], TREE)).toMatch(/^partly 1.8: move 1, 'take R7': R7 stays a leaf: .*IMUL/);
    expect(judge(fields, ["leaf R6", ...moves], TREE)).toMatch(/'ISUB R6, R5, 7' has the same operation and no other reader/);
    expect(judge(fields, ["next R0", ...moves], TREE)).toMatch(/not all operands are decided: R6, R7/);
    expect(judge(fields, [...moves.slice(0, 6), "next R2", ...moves.slice(6)], TREE)).toMatch(/R2 is not the next in canonical order/);
    expect(judge("flatten\nblock: A\nregister: R7", ["leaf R0"], TREE)).toMatch(/^partly/);
    expect(judge("flatten\nblock: A\nregister: R3", ["leaf R0"], TREE)).toMatch(/^error 2: .*no instruction of A that writes R3/);
  });

  it("gives the leaves that the phase itself rebuilds the sum from, on random sums", () => {
    let met = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const program = sums(seed);
      const session = new EngineSession();
      const kernel = session.open(1, program, "ori").kernels[0]!.name;
      const { phases } = session.run(1, kernel, { ...DEFAULT_PIPELINE, policy: "notes", phases: ["50"] });
      const info = session.trace(phases[0]!.run)!;
      const built = session.events(phases[0]!.run, 0, info.steps).find((e) => Array.isArray(e.facts.leaves));
      if (built === undefined) continue;
      const wanted = built.facts.leaves as string[];
      const own = solved("flatten\nblock: A\nregister: R30", program)!.filter((m) => m.startsWith("next"));
      expect(
        own.map((m) => m.slice(5)),
        program,
      ).toEqual(wanted);
      met++;
    }
    expect(met).toBeGreaterThan(15);
  });

  function sums(seed: number): string {
    const random = seededRandom(seed);
    const open = ["R0", "R1", "R2", "R3", "5", "9"];
    const lines: string[] = [];
    for (let i = 10; open.length > 2; i++) {
      const [a = "", b = ""] = [0, 1].map(() => open.splice(random.below(open.length), 1)[0]);
      const [x, y] = a.startsWith("R") ? [a, b] : [b, a];
      if (!x.startsWith("R")) return sums(seed + 1000);
      lines.push(`    ${random.chance(0.2) ? "ISUB" : "IADD"} R${i}, ${x}, ${y}`);
      open.push(`R${i}`);
    }
    const [x = "", y = ""] = open[0]?.startsWith("R") === true ? open : [...open].reverse();
    return `.kernel k(a: R0, b: R1, c: R2, d: R3, out: RD4)\nA:\n${lines.join("\n")}\n    IADD R30, ${x}, ${y}\n    STG [RD4], R30\n    EXIT\n`;
  }
});

describe("rename", () => {
  const fields = "rename\nregister: R3";
  const moves = ["BB0", "BB1", "1", "2", "BB3: 2", "done BB1", "BB2", "3", "BB3: 3", "done BB2", "BB3", "4", "4", "BB1: 4", "BB4"];
  const all = [...moves, "4", "done BB4", "done BB3", "done BB0"];
  const first = ["BB0", "BB1: 0"];
  it("takes new names in any order and the name in force for reads", () => {
    const own = solved(fields, DIAMOND)!;
    expect(own.length).toBeGreaterThan(all.length - 4);
    const other = own.map((m) => m.replace(/(^|: )(\d+)$/, (_, a: string, n: string) => `${a}${n === "0" ? 0 : `R3.${Number(n) + 40}`}`));
    expect(judge(fields, other)).toBe("right 2");
    expect(judge(fields, ["BB1", ...own])).toMatch(/^partly .*the walk begins at BB0/);
    expect(judge(fields, [...first, "done BB0", ...own.slice(first.length)])).toMatch(/^partly .*has a child that was not visited/);
    expect(judge("rename\nregister: R9", own)).toMatch(/^error 2: .*nothing writes R9/);
  });

  it("makes a program in SSA form that means the same", () => {
    let met = 0;
    for (let seed = 1; seed <= 16; seed++) {
      const program = shapeText("values", seed, { size: 6, irreducible: seed % 5 === 0 })!;
      const own = solved("rename\nregister: R2", program);
      if (own === null) continue;
      const ssa = inSsa(program, own, "R2");
      const defs = factsOf(ssa)
        .blocks.flatMap((b) => b.insts.flatMap((i) => i.defs))
        .filter((r) => /^R1\d\d$/.test(r));
      expect(new Set(defs).size, ssa).toBe(defs.length);
      const { verdict, message } = compareTexts(program, ssa, { seed });
      expect(verdict, `${message} in\n${ssa}`).toBe("same");
      met++;
    }
    expect(met).toBeGreaterThan(8);
  });

  /** The program with R2.n written as R10n, and the PHIs that the moves give their inputs. */
  function inSsa(program: string, own: readonly string[], register: string): string {
    const facts = factsOf(program);
    const phis = new Set(facts.phisFor(register));
    const name = (n: string | undefined): string => (n === "0" ? register : `R${100 + Number(n)}`);
    const bodies = new Map<string, string[]>();
    const heads = new Map<string, string>();
    const inputs = new Map<string, string[]>();
    const path: { label: string; left: string[] }[] = [];
    const queue = [...own];
    const reads = (inst: FlowInst): string => {
      if (!inst.uses.includes(register) && !inst.defs.includes(register)) return inst.text;
      const [, head = "", dest = "", rest = ""] = /^((?:@\S+ )?\S+) ([^,]+)(.*)$/.exec(inst.text) ?? [];
      const isDef = inst.defs.includes(register);
      const used = inst.uses.includes(register) ? name(queue.shift()) : "";
      const swap = (text: string): string => text.replace(new RegExp(`\\b${register}\\b`, "g"), used);
      return `${head} ${isDef ? name(queue.shift()) : swap(dest)}${swap(rest)}`;
    };
    for (let move = queue.shift(); move !== undefined; move = queue.shift()) {
      const block = facts.blocks.find((b) => b.label === move);
      const [to = "", n] = move.split(": ");
      if (block !== undefined) {
        path.push({ label: block.label, left: [] });
        if (phis.has(block.label)) heads.set(block.label, name(queue.shift()));
        bodies.set(block.label, block.insts.map(reads));
      } else if (n !== undefined) inputs.set(to, [...(inputs.get(to) ?? []), `[${path.at(-1)!.label}: ${name(n)}]`]);
      else path.pop();
    }
    const text = facts.blocks.flatMap(({ label }) => [
      `${label}:`,
      ...(heads.has(label) ? [`    PHI ${heads.get(label)}, ${(inputs.get(label) ?? []).join(", ")}`] : []),
      ...(bodies.get(label) ?? []).map((line) => `    ${line}`),
    ]);
    return `${program.split("\n")[0]}\n${text.join("\n")}\n`;
  }
});
