import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { generateModule } from "../fuzz/generate/generate.ts";
import { PROFILES } from "../fuzz/generate/options.ts";
import { Editor } from "../ir/edit.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";
import { closeArms } from "../passes/shared/close-arms.ts";
import { freshSeed, seedsFrom } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { type Arms, armsOf } from "./arms.ts";
import { NamedBlocks } from "./named-blocks.ts";
import { seesOtherLanes } from "./regrouping.ts";
import { RejoinGuard, type RejoinObstacle } from "./rejoin-guard.ts";
import { uniformity } from "./uniformity.ts";

const shapeAt = (edit: Editor, head: BlockId): Arms | null => {
  const arms = armsOf(edit, head, new NamedBlocks(edit));
  return arms === null || "reason" in arms ? null : arms;
};

/** The result of `dropArms` for the block BB0 of a body. */
function said(body: string): RejoinObstacle {
  const { module, diagnostics } = parseModule(
    `.kernel k(n: R0)\nBB0:\n  S2R R1, SR_LANEID\n  ISETP.LT P0, R1, 4\n  ISETP.LT P1, R0, 4\n${body}`,
  );
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const edit = new Editor(module.funcs[0]!);
  const arms = shapeAt(edit, edit.func.layout[0]!);
  expect(arms).not.toBeNull();
  return new RejoinGuard(edit).dropArms(arms!);
}

const triangle = (p: string, inside: string, end = "  EXIT\n"): string => `@${p} BRA J\nA:\n${inside}J:\n  VOTE.BALLOT R9, P1\n${end}`;

describe("taking the arms of a condition away", () => {
  it("is refused for what sees other lanes on an arm, where lanes part", () => {
    expect(said(triangle("P0", "  IADD R2, R1, 1\n"))).toBeNull();
    expect(said(triangle("P0", "  VOTE.ANY P2, P1\n"))?.reason).toBe("'VOTE' in A would run with more lanes together");
    expect(said(triangle("P1", "  VOTE.ANY P2, P1\n"))).toBeNull();
  });

  it("takes of two arms the first that sees other lanes", () => {
    const diamond = (a: string, b: string): string => `@P0 BRA B\nA:\n  ${a}\n  BRA J\nB:\n  ${b}\nJ:\n  VOTE.ANY P3, P1\n  EXIT\n`;
    expect(said(diamond("NOP", "NOP"))).toBeNull();
    expect(said(diamond("NOP", "ACTIVEMASK R5"))?.reason).toBe("'ACTIVEMASK' in B would run with more lanes together");
    expect(said(diamond("SHFL.IDX R5, R1, 0, 31", "NOP"))?.reason).toBe("'SHFL' in A would run with more lanes together");
  });

  it("looks further where a thread comes to no end from the join: lanes do not meet there", () => {
    const loop = "  BRA J\n";
    expect(said(triangle("P0", "  NOP\n", loop))?.reason).toBe("'VOTE' in J would run with more lanes together");
    expect(said(triangle("P1", "  NOP\n", loop))).toBeNull();
  });

  it("looks further inside a region", () => {
    const region = (inside: string): string => `  BSSY B0, E\n@P0 BRA J\nA:\n  ${inside}\nJ:\n  VOTE.ANY P2, P1\nE:\n  BSYNC B0\n  EXIT\n`;
    // In the region lanes reconverge at its end, after the vote.
    expect(said(region("NOP"))?.reason).toBe("'VOTE' in J would run with more lanes together");
  });
});

/** Slow and obvious, without a region: on every way from the head to where all ways to the end pass first, does an instruction see other lanes? */
function obvious(fn: Func, head: BlockId): boolean {
  if (!uniformity(fn).isDivergent(head)) return false;
  const reach = (from: readonly BlockId[], without: BlockId | null): Set<BlockId> => {
    const seen = new Set<BlockId>(from.filter((id) => id !== without));
    for (const id of seen) for (const s of getBlock(fn, id).succs) if (s !== without) seen.add(s);
    return seen;
  };
  const ends = (id: BlockId): boolean =>
    getBlock(fn, id).succs.length === 0 || getBlock(fn, id).insts.some((i) => i.guard !== null && ["EXIT", "RET", "KILL"].includes(i.op));
  const comesToEnd = (from: readonly BlockId[], without: BlockId | null): boolean => [...reach(from, without)].some(ends);
  const { succs } = getBlock(fn, head);
  // Where the head's lanes all come by on the way to an end, the nearest one.
  const meets = ends(head) || !comesToEnd(succs, null) ? [] : [...reach(succs, null)].filter((id) => !comesToEnd(succs, id));
  const nearest = meets.find((id) => [...meets].every((other) => other === id || !reach(succs, id).has(other)));
  return [...reach(succs, nearest ?? null)].some((id) => getBlock(fn, id).insts.some((inst) => seesOtherLanes(inst)));
}

describe("its answers", () => {
  const first = freshSeed();

  it(`are those of the general question, and of a search of all ways; also after arms were closed (seeds from ${first})`, () => {
    const counts = { refused: 0, allowed: 0, searched: 0, closed: 0 };
    const isEnough = (): boolean => Object.values(counts).every((count) => count > 20);
    for (const seed of seedsFrom(first, 120, isEnough)) {
      const rng = createPrng(seed);
      const module = generateModule({ seed, profile: rng.pick(PROFILES) });
      const edit = new Editor(module.funcs[0]!);
      const guard = new RejoinGuard(edit);
      for (const head of [...edit.func.layout].toReversed()) {
        const arms = edit.func.blocks[head] === undefined ? null : shapeAt(edit, head);
        if (arms === null) continue;
        const answer = guard.dropArms(arms);
        const about = `seed ${seed}, head ${getBlock(edit.func, head).label}`;
        expect(answer === null, about).toBe(new RejoinGuard(edit).shareBelow(head) === null);
        const regions = edit.func.layout.some((id) =>
          getBlock(edit.func, id).insts.some(({ op }) => op === "BSSY" || op === "BSYNC" || op === "BREAK"),
        );
        if (!regions) {
          counts.searched++;
          expect(answer !== null, about).toBe(obvious(edit.func, head));
        }
        if (answer !== null) counts.refused++;
        else counts.allowed++;
        // As in the passes: what is allowed is done, and the same guard is queried again.
        if (answer !== null || rng.chance(0.3)) continue;
        closeArms(edit, arms, new Map());
        counts.closed++;
      }
    }
    expect(isEnough(), JSON.stringify(counts)).toBe(true);
  });
});
