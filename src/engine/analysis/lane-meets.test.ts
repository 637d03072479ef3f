import { describe, expect, it } from "vitest";
import type { Func } from "../ir/types.ts";
import { parseModule } from "../text/parser.ts";
import { laneMeets } from "./lane-meets.ts";
import { uniformity } from "./uniformity.ts";

function parse(body: string): Func {
  const { module, diagnostics } = parseModule(
    `.kernel k(n: R0)\nBB0:\n  S2R R1, SR_LANEID\n  ISETP.LT P0, R1, 4\n  ISETP.LT P1, R0, 4\n${body}`,
  );
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return module.funcs[0]!;
}

const block = (fn: Func, label: string) => fn.layout.find((id) => fn.blocks[id]!.label === label)!;

/** Where lanes that diverge at the end of a block reconverge: `J` its head, `J+1` after its first instruction, or nowhere. */
function meet(body: string, at = "BB0"): string {
  const fn = parse(body);
  const found = laneMeets(fn).meet(block(fn, at));
  if (found.kind === "nowhere") return "nowhere";
  return fn.blocks[found.block]!.label + (found.kind === "sync" ? `+${found.at + 1}` : "");
}

const triangle = (open: string, close: string, after = ""): string =>
  `${open}@P0 BRA J\nA:\n  NOP\nJ:\n  NOP\nE:\n${close}  NOP\n${after}  EXIT\n`;

describe("where lanes meet", () => {
  it("is the post-dominator without a region, and the BSYNC of the innermost one with", () => {
    expect(meet(triangle("", ""))).toBe("J");
    expect(meet(triangle("  BSSY B0, E\n", "  BSYNC B0\n"))).toBe("E+1");
    expect(meet(triangle("  BSSY B0, E\n  BSSY B1, E\n", "  BSYNC B1\n  BSYNC B0\n"))).toBe("E+1");
    expect(meet(triangle("  BSSY B0, E\n  BSYNC B0\n", "  BSYNC B0\n"))).toBe("J");
  });

  it("is the BSYNC of the outer region where that one closes the inner one", () => {
    expect(meet(triangle("  BSSY B0, E\n  BSSY B1, E\n", "  BSYNC B0\n"))).toBe("E+1");
    expect(meet(triangle("  BSSY B0, E\n  BSSY B1, E\n", "  BSYNC B0\n  BSYNC B1\n"))).toBe("E+1");
  });

  it("is nowhere for a region with two BSYNCs that close it, and the BSYNC of the region around it", () => {
    const two = (open: string, close: string): string =>
      `${open}  BSSY B0, E\n@P0 BRA X\nA:\n  BSYNC B0\n  BRA E\nX:\n  BSYNC B0\nE:\n${close}  EXIT\n`;
    expect(meet(two("", ""))).toBe("nowhere");
    expect(meet(two("  BSSY B1, E\n", "  BSYNC B1\n"))).toBe("E+1");
  });

  it("is nowhere where a region is open on one way in and not on the other", () => {
    const fork = (arm: string): string => `@P1 BRA B\nA:\n${arm}  NOP\nB:\n@P0 BRA J\nC:\n  NOP\nJ:\n  BSYNC B0\n  EXIT\n`;
    expect(meet(fork(""), "B")).toBe("J");
    expect(meet(fork("  BSSY B0, J\n"), "B")).toBe("nowhere");
    expect(meet(fork("  BSSY B0, J\n  BSYNC B0\n"), "B")).toBe("J");
  });

  it("is nowhere after a BREAK or a guarded BSYNC of the region, and where its barrier is opened again", () => {
    const region = (inside: string): string => `  BSSY B0, E\n${inside}@P0 BRA J\nA:\n  NOP\nJ:\n  NOP\nE:\n  BSYNC B0\n  EXIT\n`;
    expect(meet(region(""))).toBe("E+1");
    expect(meet(region("@P0 BREAK B0\n"))).toBe("nowhere");
    expect(meet(region("@P1 BSYNC B0\n"))).toBe("nowhere");
    expect(meet(region("@P1 BSSY B1, E\n"))).toBe("E+1");
    expect(meet(region("  BSSY B0, E\n"))).toBe("E+1");
    expect(meet(`${region("").replace("  NOP\n", "  BSSY B0, J\n")}`)).toBe("nowhere");
  });

  it("takes a region into a loop and out of it again", () => {
    const loop = `  BSSY B0, X\nL:\n  BSSY B1, N\n@P0 BRA N\nA:\n  NOP\nN:\n  BSYNC B1\n@P0 BRA L\nX:\n  BSYNC B0\n  EXIT\n`;
    expect(meet(loop, "L")).toBe("N+1");
    expect(meet(loop, "N")).toBe("X+1");
  });

  it("tells whether a BSYNC closes its own region alone", () => {
    const fn = parse(triangle("  BSSY B0, E\n  BSSY B1, E\n", "  BSYNC B1\n  BSYNC B0\n  BSYNC B0\n"));
    const at = (i: number): boolean => laneMeets(fn).closesAlone(block(fn, "E"), i);
    expect([at(0), at(1), at(2)]).toEqual([true, true, false]);
    const outer = parse(triangle("  BSSY B0, E\n  BSSY B1, E\n", "  BSYNC B0\n"));
    expect(laneMeets(outer).closesAlone(block(outer, "E"), 0)).toBe(false);
  });
});

describe("instructions that ask who is there", () => {
  /** Labels of the blocks whose VOTE, REDUX or ACTIVEMASK varies. */
  const varying = (body: string): string[] => {
    const fn = parse(body);
    const u = uniformity(fn);
    return fn.layout.flatMap((id) =>
      fn.blocks[id]!.insts.some((i) => ["VOTE", "REDUX", "ACTIVEMASK"].includes(i.op) && u.resultVaries(i.id))
        ? [fn.blocks[id]!.label]
        : [],
    );
  };
  const asked = (open: string, close: string): string =>
    `  VOTE.BALLOT R2, P0\n${open}@P0 BRA J\nA:\n  REDUX.ADD R3, R1\nJ:\n  ACTIVEMASK R4\nE:\n${close}  VOTE.BALLOT R5, P0\n  IADD R6, R2, R3\n  IADD R6, R4, R5\n  EXIT\n`;

  it("vary where lanes are apart, and nowhere else", () => {
    expect(varying(asked("", ""))).toEqual(["A"]);
    expect(varying(asked("  BSSY B0, E\n", "  BSYNC B0\n"))).toEqual(["A", "J"]);
    expect(varying(asked("  BSSY B0, E\n", "").replace("P0 BRA", "P1 BRA"))).toEqual([]);
    expect(varying(asked("  BSSY B0, E\n", ""))).toEqual(["A", "J", "E"]);
  });

  it("vary after a guarded BSSY or BAR that lanes disagree about, until those lanes meet", () => {
    expect(varying(`@P0 BAR.SYNC 0\n  VOTE.BALLOT R2, P0\nA:\n  VOTE.BALLOT R3, P0\n  EXIT\n`)).toEqual(["BB0"]);
    expect(varying(`@P1 BAR.SYNC 0\n  VOTE.BALLOT R2, P0\nA:\n  EXIT\n`)).toEqual([]);
    expect(varying(`@P0 BSSY B0, A\n  VOTE.BALLOT R2, P0\nA:\n  BSYNC B0\n  EXIT\n`)).toEqual(["BB0"]);
  });

  it("vary in every round of a loop that lanes leave one after the other", () => {
    expect(varying(`L:\n  ACTIVEMASK R2\n  ISETP.LT P0, R1, R2\n@P0 BRA L\nX:\n  VOTE.BALLOT R3, P0\n  EXIT\n`)).toEqual(["L"]);
  });
});
