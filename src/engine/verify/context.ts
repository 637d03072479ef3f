/** What every rule gets: the function, and where to report. */

import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Block, Func, Inst, Module } from "../ir/types.ts";

/** At most this many diagnostics a function. */
const MAX_REPORTS = 100;

export interface RuleContext {
  readonly fn: Func;
  /** Null for a function without a module: names outside it are then not checked. */
  readonly module: Module | null;
  /** Blocks in layout order; ids without a block are omitted (another rule reports them). */
  readonly blocks: readonly Block[];
  /** Says that the rule is broken, at the instruction, the block or the function. */
  readonly report: (message: string, at?: { readonly block?: Block; readonly inst?: Inst }) => void;
}

export interface Rule {
  /** Stable: `VER007`. */
  readonly id: string;
  readonly severity: "error" | "warning";
  readonly doc: string;
  /** The rule reads the graph: it runs only if all other rules hold. */
  readonly needsSoundGraph?: boolean;
  /** Its verdict on a block depends only on the block's instructions: a block that passed once passes in every version of the program. */
  readonly byBlock?: boolean;
  /** Nothing else can be checked when this rule is broken. */
  readonly fatal?: boolean;
  readonly check: (context: RuleContext) => void;
}

/** Runs rules over one function and collects what they report. `passed`: blocks of finished versions, which the rules by block pass over. */
export function runRules(rules: readonly Rule[], fn: Func, module: Module | null, passed: WeakSet<Block> | null = null): Diagnostic[] {
  const found: Diagnostic[] = [];
  const all = fn.layout.flatMap((id) => fn.blocks[id] ?? []);
  const fresh = passed === null ? all : all.filter((block) => !passed.has(block));
  for (const rule of rules) {
    if (rule.needsSoundGraph === true && found.some((d) => d.severity === "error")) continue;
    const report: RuleContext["report"] = (message, at = {}) => {
      if (found.length >= MAX_REPORTS) return;
      const block = at.block === undefined ? "" : ` ${at.block.label}`;
      const line = at.inst?.line || at.block?.line || fn.line || 1;
      found.push({
        line,
        column: 1,
        length: 0,
        severity: rule.severity,
        code: rule.id,
        message: `${fn.name}${block}: ${message}`,
        suggestion: null,
      });
    };
    rule.check({ fn, module, blocks: rule.byBlock === true ? fresh : all, report });
    if (rule.fatal === true && found.length > 0) break;
  }
  if (passed !== null && found.length === 0) for (const block of fresh) passed.add(block);
  return found;
}
