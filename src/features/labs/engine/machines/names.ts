/** Renaming for SSA: a walk down the dominator tree with the current name of a register. */

import type { FlowBlock, FlowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { BrokenTask } from "../stage.ts";
import { type MachineKind, movePair } from "./machine.ts";

export const renameMachine: MachineKind = {
  name: "rename",
  moves:
    "`BB1` goes down to a child in the dominator tree; then a number names each read and write of the register in turn, `BB3: 2` gives the PHI of the successor BB3 its input, and `done BB1` goes back up",
  needs: ["register"],
  start({ register = "" }, ctx) {
    let walk = begun(register, ctx.facts());
    return {
      problem: (text) => problemOf(walk, readMove(text, register)),
      apply(text) {
        walk = after(walk, readMove(text, register));
      },
      model: () => modelOf(walk),
    };
  },
};

interface Walk {
  readonly register: string;
  readonly entry: string;
  /** The reachable ones. */
  readonly blocks: readonly FlowBlock[];
  /** Blocks that have a PHI of the register. */
  readonly phis: readonly string[];
  /** From the entry down to the block where the walk is. */
  readonly path: readonly Open[];
  readonly seen: readonly string[];
  /** 0 is the register's value at the entry. */
  readonly current: number;
  readonly used: readonly number[];
}

/** What is still to be named in a block: reads and writes in turn, then the PHI inputs of successors in any order. */
interface Open {
  readonly block: FlowBlock;
  readonly occurrences: readonly Occurrence[];
  readonly inputs: readonly string[];
  /** The register's name where the block was entered. */
  readonly outside: number;
}

interface Occurrence {
  readonly writes: boolean;
  readonly where: string;
}

type Move =
  | { readonly kind: "name"; readonly name: number }
  | { readonly kind: "input"; readonly label: string; readonly name: number | null }
  | { readonly kind: "up"; readonly label: string }
  | { readonly kind: "down"; readonly label: string };

function readMove(move: string, register: string): Move {
  const text = move.trim();
  const name = nameOf(text, register);
  if (name !== null) return { kind: "name", name };
  const [label, words] = movePair(text);
  if (words !== null) return { kind: "input", label, name: words.length === 1 ? nameOf(words[0] ?? "", register) : null };
  const done = /^done\s+(\S+)$/i.exec(text)?.[1];
  return done === undefined ? { kind: "down", label } : { kind: "up", label: done };
}

function nameOf(text: string, register: string): number | null {
  const found = /^(?:(\S+)\.)?(\d{1,4})$/.exec(text.trim());
  if (found === null || (found[1] !== undefined && found[1] !== register)) return null;
  return Number(found[2]);
}

function begun(register: string, facts: FlowFacts): Walk {
  const blocks = facts.blocks.filter((b) => b.rpo > 0);
  const insts = blocks.flatMap((b) => b.insts);
  if (!insts.some((i) => i.defs.includes(register))) throw new BrokenTask(`nothing writes ${register}`);
  if (insts.some((i) => i.text.startsWith("PHI"))) throw new BrokenTask("the program has PHIs already");
  if (insts.some((i) => i.text.startsWith("@") && i.defs.includes(register)))
    throw new BrokenTask(`${register} is written under a guard, which the walk does not rename`);
  return { register, entry: facts.entry, blocks, phis: facts.phisFor(register), path: [], seen: [], current: 0, used: [0] };
}

/** The blocks to go down to. */
function childrenOf({ blocks, entry, path, seen }: Walk): readonly string[] {
  const top = path.at(-1);
  const isChild = (b: FlowBlock): boolean => (top === undefined ? b.label === entry : b.idom === top.block.label);
  return blocks.filter((b) => isChild(b) && !seen.includes(b.label)).map((b) => b.label);
}

function problemOf(walk: Walk, move: Move): string | null {
  const top = walk.path.at(-1);
  const [next] = top?.occurrences ?? [];
  if (next !== undefined) return namingProblem(walk, next, move);
  if (move.kind === "name") return "there is nothing to name here";
  const { label } = move;
  if (move.kind === "input") {
    if (top?.inputs.includes(label) !== true) return `no PHI of ${label} waits for an input from here`;
    return move.name === walk.current ? null : `that is not the name at the end of ${top.block.label}`;
  }
  if (top !== undefined && top.inputs.length > 0) return `a PHI of a successor waits for its input: ${top.inputs.join(", ")}`;
  const children = childrenOf(walk);
  if (move.kind === "down") {
    if (children.includes(label)) return null;
    return top === undefined ? `the walk begins at ${walk.entry}` : `${label} is no child of ${top.block.label} that was not visited yet`;
  }
  if (top === undefined) return "no block is open";
  if (label !== top.block.label) return `the walk is at ${top.block.label}`;
  return children.length === 0 ? null : `${label} has a child that was not visited: ${children.join(", ")}`;
}

function namingProblem({ register, current, used }: Walk, { writes, where }: Occurrence, move: Move): string | null {
  if (move.kind !== "name") return `${where} comes first: it ${writes ? "writes" : "reads"} ${register}`;
  if (writes) return used.includes(move.name) ? `${where} writes ${register}: a new name is needed` : null;
  return move.name === current ? null : `${register}.${move.name} is not what ${where} reads`;
}

/** The walk after a legal move. */
function after(walk: Walk, move: Move): Walk {
  const { path, blocks, seen, used } = walk;
  if (move.kind === "down") {
    const block = blocks.find((b) => b.label === move.label);
    return block === undefined ? walk : { ...walk, path: [...path, opened(walk, block)], seen: [...seen, block.label] };
  }
  const top = path.at(-1);
  if (top === undefined) return walk;
  const withTop = (part: Partial<Open>) => path.with(-1, { ...top, ...part });
  if (move.kind === "up") return { ...walk, path: path.slice(0, -1), current: top.outside };
  if (move.kind === "input") return { ...walk, path: withTop({ inputs: top.inputs.filter((label) => label !== move.label) }) };
  return { ...walk, path: withTop({ occurrences: top.occurrences.slice(1) }), current: move.name, used: [...used, move.name] };
}

function opened({ register, phis, current }: Walk, block: FlowBlock): Open {
  const occurrences: Occurrence[] = phis.includes(block.label) ? [{ writes: true, where: `the PHI of ${block.label}` }] : [];
  for (const inst of block.insts) {
    if (inst.uses.includes(register)) occurrences.push({ writes: false, where: `'${inst.text}'` });
    if (inst.defs.includes(register)) occurrences.push({ writes: true, where: `'${inst.text}'` });
  }
  return { block, occurrences, inputs: [...new Set(block.succs.filter((s) => phis.includes(s)))], outside: current };
}

function modelOf(walk: Walk): string | null {
  const top = walk.path.at(-1);
  const [next] = top?.occurrences ?? [];
  if (next?.writes === true) {
    let fresh = 1;
    while (walk.used.includes(fresh)) fresh++;
    return String(fresh);
  }
  if (next !== undefined) return String(walk.current);
  const [input] = top?.inputs ?? [];
  if (input !== undefined) return `${input}: ${walk.current}`;
  const [child] = childrenOf(walk);
  return child ?? (top === undefined ? null : `done ${top.block.label}`);
}
