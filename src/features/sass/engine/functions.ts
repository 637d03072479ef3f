/** Cuts the sections of a listing into functions: local functions split off, padding dropped. */

import { isConstantReg } from "../../../engine/ir/reg.ts";
import type { SassFunction, SassInst, Section } from "./ast.ts";

const BRANCHES = new Set(["BRA", "JMP", "BRX", "BRXU", "JMX", "JMXU", "EXIT", "RET", "KILL"]);

/** Ends a block: control may go elsewhere after it. `@!PT` never runs. */
export function isControl(inst: SassInst): boolean {
  return BRANCHES.has(inst.root) && !neverRuns(inst);
}

/** Guarded by !PT: only its operands are left of it. */
export function neverRuns({ guard }: SassInst): boolean {
  return guard?.neg === true && isConstantReg(guard.reg);
}

/** A branch with an operand before its target (`BRA P1, L`, `BRA.U UP0, L`, `BRA.DIV UR4, L`), or an exit with one: `EXIT P1`. */
export function hasCondition(inst: SassInst): boolean {
  if (inst.root === "BRA" || inst.root === "JMP") return inst.operands.length > 1;
  const [first] = inst.operands;
  return (inst.root === "EXIT" || inst.root === "KILL") && first?.kind === "reg" && !(isConstantReg(first.reg) && !first.inv);
}

/** The place a BRA, JMP or CALL names: its last operand; null when there is none or it is a register. */
export function targetOperand(inst: SassInst): { readonly name: string } | { readonly address: number } | null {
  const last = inst.operands[inst.operands.length - 1];
  if (last?.kind === "target") return { name: last.name };
  if (last?.kind === "num" && last.integer) return { address: last.value };
  // `BRA NAME` of texts that write labels bare.
  if (last?.kind === "word") return { name: last.text };
  return null;
}

/** Finds instructions of a section by label or address. */
export class Places {
  private readonly labels: ReadonlyMap<string, number>;
  private readonly byAddress = new Map<number, number>();

  constructor(insts: readonly SassInst[], labels: ReadonlyMap<string, number>) {
    this.labels = labels;
    for (const [i, inst] of insts.entries()) if (!this.byAddress.has(inst.address)) this.byAddress.set(inst.address, i);
  }

  /** Index of the instruction; null when the place is not here. */
  find(target: { readonly name: string } | { readonly address: number } | null): number | null {
    if (target === null) return null;
    if ("address" in target) return this.byAddress.get(target.address) ?? null;
    return this.labels.get(target.name) ?? null;
  }
}

/** Linear in the instructions, n log n in the local functions. */
export function splitSections(sections: readonly Section[]): SassFunction[] {
  return sections.flatMap((section, i) => splitSection(section, i));
}

function splitSection(section: Section, number: number): SassFunction[] {
  const { insts } = section;
  const places = new Places(insts, section.labels);
  const cuts = new Map<number, { readonly name: string; readonly line: number }>();
  for (const { name, at, line } of section.functions) if (at > 0 && at < insts.length) cuts.set(at, { name, line });
  // Listings without labels: the target of a relative call is a function.
  for (const inst of insts) {
    if (inst.root !== "CALL" || !inst.mods.includes("REL")) continue;
    const at = places.find(targetOperand(inst));
    if (at === null || at === 0 || cuts.has(at)) continue;
    const start = insts[at];
    // Only what cannot be fallen into.
    if (start !== undefined && endsFlow(insts[at - 1]))
      cuts.set(at, { name: `$${section.name}$0x${start.address.toString(16)}`, line: start.line });
  }
  const starts = [...cuts.keys()].sort((a, b) => a - b);
  const kept = dropCrossed(starts, insts, places);
  const bounds = [0, ...kept, insts.length];
  // Labels were added in the order of the text.
  const ordered = [...section.labels];
  let label = 0;
  return bounds.slice(0, -1).map((from, i): SassFunction => {
    const cut = cuts.get(from);
    const to = withoutPadding(insts, from, bounds[i + 1] ?? insts.length, places);
    const labels = new Map<string, number>();
    for (let next = ordered[label]; next !== undefined && next[1] < (bounds[i + 1] ?? 0); next = ordered[++label])
      labels.set(next[0], next[1] - from);
    return {
      name: cut?.name ?? section.name,
      isEntry: cut === undefined ? section.isEntry : false,
      line: cut?.line ?? section.line,
      insts: insts.slice(from, to),
      labels,
      isLocal: cut !== undefined,
      section: number,
      target: section.target,
    };
  });
}

/** The starts that no branch crosses: a shared tail keeps two bodies one. */
function dropCrossed(starts: readonly number[], insts: readonly SassInst[], places: Places): number[] {
  const crossings = new Int32Array(insts.length + 2);
  const cross = (a: number, b: number): void => {
    if (a === b) return;
    crossings[Math.min(a, b) + 1] = (crossings[Math.min(a, b) + 1] ?? 0) + 1;
    crossings[Math.max(a, b) + 1] = (crossings[Math.max(a, b) + 1] ?? 0) - 1;
  };
  for (const [i, inst] of insts.entries()) {
    if (inst.root === "BRA" || inst.root === "JMP") {
      const to = places.find(targetOperand(inst));
      if (to !== null) cross(i, to);
    }
    for (const name of inst.targets ?? []) {
      const to = places.find({ name });
      if (to !== null) cross(i, to);
    }
  }
  const kept: number[] = [];
  let open = 0;
  let next = 0;
  for (let i = 0; i <= insts.length; i++) {
    open += crossings[i] ?? 0;
    if (starts[next] !== i) continue;
    next++;
    if (open === 0) kept.push(i);
  }
  return kept;
}

function endsFlow(inst: SassInst | undefined): boolean {
  return (
    inst === undefined || inst.root === "NOP" || (isControl(inst) && inst.guard === null && !hasCondition(inst)) || inst.root === "RET"
  );
}

/** End of the code of [from, to): without NOPs and the branch to itself after the last exit, unless something leads there. */
function withoutPadding(insts: readonly SassInst[], from: number, to: number, places: Places): number {
  let end = to;
  while (end > from + 1 && insts[end - 1]?.root === "NOP") end--;
  const last = insts[end - 1];
  if (last === undefined || last.root !== "BRA" || last.guard !== null || end - 1 === from) return endOr(insts, from, end, to);
  const at = end - 1;
  if (places.find(targetOperand(last)) !== at) return endOr(insts, from, end, to);
  const before = insts[at - 1];
  if (before === undefined || !endsFlow(before) || before.root === "NOP") return endOr(insts, from, end, to);
  // A different block's target: a real endless loop.
  for (let i = from; i < at; i++) {
    const inst = insts[i];
    if (inst !== undefined && (inst.root === "BRA" || inst.root === "JMP") && places.find(targetOperand(inst)) === at) return end;
    if (inst?.targets?.some((name) => places.find({ name }) === at)) return end;
  }
  return at;
}

/** NOPs stay where the code before them runs into them. */
function endOr(insts: readonly SassInst[], from: number, end: number, to: number): number {
  const last = insts[end - 1];
  return end > from && (last === undefined || endsFlow(last)) ? end : to;
}
