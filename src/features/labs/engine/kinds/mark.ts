/** Marks on the graph: orders, dominators, loops, edges, live registers, what a phase removes. */

import * as v from "valibot";
import type { FlowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { type Credit, ofMaps, ofSets } from "../credit.ts";
import { byName, type Form } from "../forms.ts";
import { BrokenTask, factsOfText } from "../stage.ts";
import { isReversePostOrder, someOrders } from "../walks.ts";
import { type Context, defineKind, judged, listOf, mapOf, phaseName, shortText } from "./kind.ts";

const BLOCK_SETS = ["loop-headers", "in-loop", "in-loop-flag", "divergent", "removed", "unreachable", "frontier", "phis"] as const;
const EDGE_SETS = ["edges", "back-edges", "retreating"] as const;
const REGISTER_SETS = ["live-in", "live-out"] as const;
const LINE_SETS = ["leaders", "reaching", "available", "loop-invariant"] as const;
export const MARKS = ["rpo", "idom", ...LINE_SETS, ...BLOCK_SETS, ...EDGE_SETS, ...REGISTER_SETS] as const;
type Mark = (typeof MARKS)[number];

const NEEDS_BLOCK: readonly Mark[] = ["live-in", "live-out", "frontier", "reaching", "available", "loop-invariant"];

const fields = {
  what: v.picklist(MARKS),
  block: v.optional(shortText),
  register: v.optional(shortText),
  phase: v.optional(phaseName),
  ties: v.optional(v.picklist(["any", "ours"]), "any"),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

const edge = v.tuple([shortText, shortText]);
const answer = v.union(
  [
    v.strictObject({ blocks: listOf(shortText) }),
    v.strictObject({ edges: listOf(edge) }),
    v.strictObject({ registers: listOf(shortText) }),
    v.strictObject({ lines: listOf(v.pipe(v.number(), v.integer())) }),
    v.strictObject({ numbers: mapOf(v.nullable(v.number())) }),
    v.strictObject({ parents: mapOf(v.nullable(shortText)) }),
  ],
  "expected blocks, edges, registers, lines, numbers or parents",
);
type Answer = v.InferOutput<typeof answer>;

export const mark = defineKind({
  name: "mark",
  does: "marks blocks, edges or registers on the graph",
  fields,
  answer,
  form: formOf,
  needsProgram: () => true,
  problems({ what, block, register, phase, ties }) {
    if (NEEDS_BLOCK.includes(what) && block === undefined) return [{ path: ["what"], message: `${what} needs block:` }];
    if (what === "phis" && register === undefined) return [{ path: ["what"], message: "phis needs register:" }];
    if (what === "removed" && phase === undefined) return [{ path: ["what"], message: "removed needs phase:" }];
    if (what !== "rpo" && ties === "ours") return [{ path: ["ties"], message: "ties: ours is for rpo only" }];
    return ties === "ours"
      ? [{ path: ["ties"], message: "ties: ours rejects correct orders: the question must say which child comes first", warning: true }]
      : [];
  },
  judge(spec, given, ctx) {
    const credit = judgeMark(spec, given, ctx);
    return typeof credit === "string"
      ? { share: 0, reason: credit, theory: "the answer has the wrong form" }
      : judged(credit.share, credit.said, credit.said ?? undefined);
  },
  solve: keyOf,
  key: (spec, ctx) => JSON.stringify(keyOf(spec, ctx)),
});

function keyOf(spec: Spec, ctx: Context): Answer {
  const { what } = spec;
  const facts = ctx.facts();
  if (what === "rpo") return { numbers: Object.fromEntries(reached(facts).map((b) => [b.label, b.rpo])) };
  if (what === "idom") return { parents: Object.fromEntries(reached(facts).map((b) => [b.label, b.idom])) };
  if (isLines(what)) return { lines: linesOf(facts, what, spec).flat() };
  if (isEdges(what)) return { edges: edgesOf(facts, what).map(([from, to]) => [from, to]) };
  if (isRegisters(what)) return { registers: [...registersOf(facts, what, spec.block)] };
  return { blocks: [...blocksOf(facts, what, spec, ctx)] };
}

/** The shape of a mark is that of its answer: sets of blocks, edges, registers or lines, or a value for each block. */
function formOf(spec: Spec, ctx: Context): Form {
  const labels = ctx.labels();
  const key = keyOf(spec, ctx);
  if ("numbers" in key) return { kind: "numbers", labels };
  if ("parents" in key) return { kind: "parents", labels };
  if ("lines" in key) return { kind: "lines", lines: ctx.program.ori.trimEnd().split("\n") };
  const { blocks } = ctx.facts();
  if ("edges" in key) {
    const edges = blocks.flatMap((b) => [...new Set(b.succs)].map((to) => [b.label, to] as const));
    return { kind: "edges", labels, edges: spec.what === "edges" ? null : edges };
  }
  if ("registers" in key) {
    const names = new Set(blocks.flatMap((b) => [...b.liveIn, ...b.liveOut, ...b.insts.flatMap((i) => [...i.defs, ...i.uses])]));
    return { kind: "registers", names: [...names].sort(byName) };
  }
  return { kind: "blocks", labels };
}

const isEdges = (what: Mark): what is (typeof EDGE_SETS)[number] => (EDGE_SETS as readonly string[]).includes(what);
const isLines = (what: Mark): what is (typeof LINE_SETS)[number] => (LINE_SETS as readonly string[]).includes(what);
const isRegisters = (what: Mark): what is (typeof REGISTER_SETS)[number] => (REGISTER_SETS as readonly string[]).includes(what);
const reached = (facts: FlowFacts): FlowFacts["blocks"] => facts.blocks.filter((b) => b.rpo > 0);

/** A string: the answer does not have the shape that the question requires. */
function judgeMark(spec: Spec, given: Answer, ctx: Context): Credit | string {
  const key = keyOf(spec, ctx);
  if ("numbers" in key) return "numbers" in given ? judgeOrder(spec, given.numbers, ctx.facts()) : "expected a number for each block";
  if ("parents" in key) {
    if (!("parents" in given)) return "expected a parent for each block";
    const free = new Set(
      ctx
        .facts()
        .blocks.filter((b) => b.rpo === 0)
        .map((b) => b.label),
    );
    const text = (parent: string | null): string => parent ?? "none";
    const entries = (map: Readonly<Record<string, string | null>>): Map<string, string> =>
      new Map(Object.entries(map).map(([k, p]) => [k, text(p)]));
    const right = entries(key.parents);
    // The entry has no dominator above it: saying so or not is the same.
    right.delete(ctx.facts().entry);
    return ofMaps(right, entries(given.parents), (label, parent) => parent === "none" && (free.has(label) || label === ctx.facts().entry));
  }
  if (isLines(spec.what)) return "lines" in given ? judgeLines(linesOf(ctx.facts(), spec.what, spec), given.lines) : "expected lines";
  const text = ([from, to]: readonly [string, string]): string => `${from.trim()} → ${to.trim()}`;
  if ("edges" in key) return "edges" in given ? ofSets(key.edges.map(text), given.edges.map(text)) : "expected edges";
  if ("registers" in key) return "registers" in given ? ofSets(key.registers, given.registers.map(trimmed)) : "expected registers";
  if (!("blocks" in key)) throw new BrokenTask(`${spec.what} is not a set of blocks`);
  return "blocks" in given ? ofSets(key.blocks, given.blocks.map(trimmed)) : "expected blocks";
}

const trimmed = (text: string): string => text.trim();

/** Any order that a depth-first walk gives is right; else the nearest of those that are known counts. */
function judgeOrder({ ties }: Spec, numbers: Readonly<Record<string, number | null>>, facts: FlowFacts): Credit {
  const graph = new Map(facts.blocks.map((b) => [b.label, b.succs]));
  const unreachable = new Set(facts.blocks.filter((b) => b.rpo === 0).map((b) => b.label));
  const given = new Map(
    Object.entries(numbers).flatMap(([label, n]) => (unreachable.has(label) && (n === 0 || n === null) ? [] : [[label, n ?? 0] as const])),
  );
  const ours = [...reached(facts)].sort((a, b) => a.rpo - b.rpo).map((b) => b.label);
  const consecutive =
    new Set(given.values()).size === given.size && [...given.values()].every((n) => Number.isInteger(n) && n >= 1 && n <= given.size);
  if (ties === "any" && consecutive && isReversePostOrder(graph, facts.entry, given) === true) return { share: 1, said: null };
  const orders = ties === "ours" ? [ours] : [ours, ...someOrders(graph, facts.entry)];
  const asText = new Map([...given].map(([label, n]) => [label, String(n)]));
  const credits = orders.map((order) => ofMaps(new Map(order.map((label, i) => [label, String(i + 1)])), asText));
  return credits.reduce((best, credit) => (credit.share > best.share ? credit : best));
}

/** Each item that counts, by its lines: for an expression that several lines compute, one line is as good as all of them. */
function linesOf(facts: FlowFacts, what: (typeof LINE_SETS)[number], { block, register }: Spec): readonly (readonly number[])[] {
  if (what === "leaders") return leaders(facts).map((line) => [line]);
  const { label } = blockNamed(facts, block);
  if (what === "reaching") return facts.reaching(label, register ?? null).map((line) => [line]);
  if (what === "available") return facts.available(label).filter((lines) => lines.length > 0);
  const lines = facts.invariant(label);
  if (lines === null) throw new BrokenTask(`${label} is no header of a natural loop`);
  return lines.map((line) => [line]);
}

function judgeLines(right: readonly (readonly number[])[], given: readonly number[]): Credit {
  const nameOf = (line: number): string => String(right.find((lines) => lines.includes(line))?.[0] ?? line);
  return ofSets(
    right.map((lines) => String(lines[0])),
    [...new Set(given.map(nameOf))],
    (line) => `line ${line}`,
  );
}

const leaders = ({ blocks }: FlowFacts): number[] => blocks.flatMap((b) => b.insts[0]?.line ?? []).filter((line) => line > 0);

function edgesOf({ blocks, backEdges, retreating }: FlowFacts, what: (typeof EDGE_SETS)[number]): readonly (readonly [string, string])[] {
  if (what === "edges") return blocks.flatMap((b) => b.succs.map((to) => [b.label, to] as const));
  return what === "back-edges" ? backEdges : retreating;
}

function blockNamed(facts: FlowFacts, label: string | undefined): FlowFacts["blocks"][number] {
  const found = facts.blocks.find((b) => b.label === label);
  if (found === undefined) throw new BrokenTask(`there is no block ${label ?? ""} at this place`);
  return found;
}

function registersOf(facts: FlowFacts, what: (typeof REGISTER_SETS)[number], block: string | undefined): readonly string[] {
  const found = blockNamed(facts, block);
  return what === "live-in" ? found.liveIn : found.liveOut;
}

function blocksOf(facts: FlowFacts, what: Mark, { block, register, phase }: Spec, ctx: Context): readonly string[] {
  switch (what) {
    case "loop-headers":
      return facts.loops.map((l) => l.header);
    case "in-loop":
      return [...new Set(facts.loops.flatMap((l) => l.blocks))];
    case "in-loop-flag":
      return facts.blocks.filter((b) => insideInterval(facts, b.rpo)).map((b) => b.label);
    case "divergent":
      return facts.blocks.filter((b) => b.divergent).map((b) => b.label);
    case "unreachable":
      return facts.blocks.filter((b) => b.rpo === 0).map((b) => b.label);
    case "frontier":
      return blockNamed(facts, block).frontier;
    case "phis":
      return facts.phisFor(register ?? "");
    case "removed": {
      const after = factsOfText(ctx.stage.textAt(ctx.program, ctx.options, { kind: "end", phase: phase ?? "" }), null);
      const left = new Set(after.blocks.map((b) => b.label));
      return facts.blocks.filter((b) => !left.has(b.label)).map((b) => b.label);
    }
    default:
      throw new BrokenTask(`${what} is not a set of blocks`);
  }
}

/** The interval of reverse post-order numbers from a header to its furthest latch. */
function insideInterval({ blocks, retreating }: FlowFacts, rpo: number): boolean {
  const numberOf = new Map(blocks.map((b) => [b.label, b.rpo]));
  return retreating.some(([from, to]) => rpo >= (numberOf.get(to) ?? 0) && rpo <= (numberOf.get(from) ?? -1));
}
