/** Renaming for SSA: a walk down the dominator tree with the current name of a register. */

import type { FlowBlock } from "../../../../engine/api/analysis/flow-facts.ts";
import { BrokenTask } from "../stage.ts";
import { type MachineKind, movePair } from "./machine.ts";

/** What is still to be named in a block: reads and writes in turn, then the PHI inputs of successors in any order. */
interface Open {
  readonly block: FlowBlock;
  readonly occurrences: { readonly writes: boolean; readonly where: string }[];
  readonly inputs: Set<string>;
  /** The register's name where the block was entered. */
  readonly outside: number;
}

const nameOf = (text: string, register: string): number | null => {
  const found = /^(?:(\S+)\.)?(\d{1,4})$/.exec(text.trim());
  if (found === null || (found[1] !== undefined && found[1] !== register)) return null;
  return Number(found[2]);
};

export const renameMachine: MachineKind = {
  name: "rename",
  moves:
    "`BB1` goes down to a child in the dominator tree; then a number names each read and write of the register in turn, `BB3: 2` gives the PHI of the successor BB3 its input, and `done BB1` goes back up",
  needs: ["register"],
  start({ register = "" }, ctx) {
    const facts = ctx.facts();
    const blocks = facts.blocks.filter((b) => b.rpo > 0);
    const insts = blocks.flatMap((b) => b.insts);
    if (!insts.some((i) => i.defs.includes(register))) throw new BrokenTask(`nothing writes ${register}`);
    if (insts.some((i) => i.text.startsWith("PHI"))) throw new BrokenTask("the program has PHIs already");
    if (insts.some((i) => i.text.startsWith("@") && i.defs.includes(register)))
      throw new BrokenTask(`${register} is written under a guard, which the walk does not rename`);
    const phis = new Set(facts.phisFor(register));
    const path: Open[] = [];
    const seen = new Set<string>();
    /** 0 is the register's value at the entry. */
    let current = 0;
    const used = new Set([0]);
    const enter = (block: FlowBlock): void => {
      const occurrences: Open["occurrences"] = phis.has(block.label) ? [{ writes: true, where: `the PHI of ${block.label}` }] : [];
      for (const inst of block.insts) {
        if (inst.uses.includes(register)) occurrences.push({ writes: false, where: `'${inst.text}'` });
        if (inst.defs.includes(register)) occurrences.push({ writes: true, where: `'${inst.text}'` });
      }
      seen.add(block.label);
      path.push({ block, occurrences, inputs: new Set(block.succs.filter((s) => phis.has(s))), outside: current });
    };
    const childrenOf = (top: Open | undefined): readonly FlowBlock[] =>
      blocks.filter((b) => !seen.has(b.label) && (top === undefined ? b.label === facts.entry : b.idom === top.block.label));
    const problem = (move: string): string | null => {
      const top = path.at(-1);
      const next = top?.occurrences[0];
      const text = move.trim();
      const number = nameOf(text, register);
      if (next !== undefined) {
        if (number === null) return `${next.where} comes first: it ${next.writes ? "writes" : "reads"} ${register}`;
        if (next.writes) return used.has(number) ? `${next.where} writes ${register}: a new name is needed` : null;
        return number === current ? null : `${register}.${number} is not what ${next.where} reads`;
      }
      if (number !== null) return "there is nothing to name here";
      const [label, words] = movePair(text);
      if (words !== null) {
        if (top?.inputs.has(label) !== true) return `no PHI of ${label} waits for an input from here`;
        return words.length === 1 && nameOf(words[0] ?? "", register) === current
          ? null
          : `that is not the name at the end of ${top.block.label}`;
      }
      if (top !== undefined && top.inputs.size > 0) return `a PHI of a successor waits for its input: ${[...top.inputs].join(", ")}`;
      const done = /^done\s+(\S+)$/i.exec(text)?.[1];
      const children = childrenOf(top);
      if (done === undefined) {
        if (children.some((b) => b.label === text)) return null;
        return top === undefined
          ? `the walk begins at ${facts.entry}`
          : `${text} is no child of ${top.block.label} that was not visited yet`;
      }
      if (top === undefined || done !== top.block.label)
        return top === undefined ? "no block is open" : `the walk is at ${top.block.label}`;
      return children.length === 0 ? null : `${done} has a child that was not visited: ${children.map((b) => b.label).join(", ")}`;
    };
    return {
      problem,
      apply(move) {
        const top = path.at(-1);
        const text = move.trim();
        const next = top?.occurrences.shift();
        if (next !== undefined) {
          if (next.writes) {
            current = nameOf(text, register) ?? current;
            used.add(current);
          }
          return;
        }
        const [label, words] = movePair(text);
        if (words !== null) {
          top?.inputs.delete(label);
          return;
        }
        if (/^done\s/i.test(text)) {
          current = path.pop()?.outside ?? 0;
          return;
        }
        const block = blocks.find((b) => b.label === text);
        if (block !== undefined) enter(block);
      },
      model() {
        const top = path.at(-1);
        const next = top?.occurrences[0];
        if (next !== undefined) {
          if (!next.writes) return String(current);
          let fresh = 1;
          while (used.has(fresh)) fresh++;
          return String(fresh);
        }
        const [input] = top?.inputs ?? [];
        if (input !== undefined) return `${input}: ${current}`;
        const [child] = childrenOf(top);
        return child?.label ?? (top === undefined ? null : `done ${top.block.label}`);
      },
    };
  },
};
