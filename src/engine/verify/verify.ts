/** The verifier: located errors for everything the IR promises, one rule for each promise. */

import { liveness } from "../analysis/liveness.ts";
import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Block, Func, Module } from "../ir/types.ts";
import { type Rule, runRules } from "./context.ts";
import { endRule, labelRule, layoutRule, predsRule, succsRule, tableRule, targetRule, terminatorRule } from "./rules-graph.ts";
import {
  guardRule,
  instIdRule,
  modifierRule,
  opcodeRule,
  operandRule,
  paramRule,
  regCounterRule,
  symbolRule,
  weightRule,
} from "./rules-inst.ts";
import { phiInputRule, phiPlaceRule } from "./rules-phi.ts";
import { type OwnFacts, type UndefinedRead, undefinedReads } from "./undefined-reads.ts";

const undefinedReadRule: Rule = {
  id: "VER019",
  severity: "warning",
  doc: "Reachable code reads no register or predicate that no definition reaches (it would be 0 or false). An error when a phase introduced it.",
  needsSoundGraph: true,
  check({ fn, report }) {
    for (const read of undefinedReads(fn)) report(undefinedReadMessage(read), read);
  },
};

/** In the order in which they run. */
export const VERIFY_RULES: readonly Rule[] = [
  opcodeRule,
  layoutRule,
  labelRule,
  succsRule,
  predsRule,
  terminatorRule,
  endRule,
  targetRule,
  tableRule,
  operandRule,
  modifierRule,
  guardRule,
  instIdRule,
  regCounterRule,
  paramRule,
  symbolRule,
  weightRule,
  phiPlaceRule,
  phiInputRule,
  undefinedReadRule,
];

export interface VerifyOptions {
  /** How a read that no definition reaches counts. Default: a warning, as on input. */
  readonly undefinedReads?: "warning" | "error";
}

/** Checks one function; at most 100 diagnostics. Without a module, symbols are not looked up. Never throws, for any function. */
export function verifyFunc(fn: Func, module: Module | null = null, options: VerifyOptions = {}): Diagnostic[] {
  const severity = options.undefinedReads ?? "warning";
  const rules =
    severity === "warning" ? VERIFY_RULES : VERIFY_RULES.map((rule) => (rule === undefinedReadRule ? { ...rule, severity } : rule));
  return runRules(rules, fn, module);
}

/**
 * Checks a phase's result: reads without a definition are errors if no path of `before` read the register undefined. One path is enough: a phase that
 * removes another path, which no thread can take, removes its definition as well. The edges of `before` must be sound (it was verified).
 */
export function verifyChange(before: Func, after: Func, module: Module | null = null): Diagnostic[] {
  return runRules([...OTHER_RULES, introduced(before, null)], after, module);
}

/** `verifyChange` for many versions of one function: the blocks that they share are checked once. No version may be edited afterwards. */
export class ChangeVerifier {
  private readonly module: Module | null;
  private readonly rules: readonly Rule[];
  private readonly passed = new WeakSet<Block>();

  constructor(before: Func, module: Module | null) {
    this.module = module;
    this.rules = [...OTHER_RULES, introduced(before, new WeakMap())];
  }

  check(after: Func): Diagnostic[] {
    return runRules(this.rules, after, this.module, this.passed);
  }
}

const OTHER_RULES = VERIFY_RULES.filter((rule) => rule !== undefinedReadRule);

function introduced(before: Func, facts: WeakMap<Block, OwnFacts> | null): Rule {
  return {
    ...undefinedReadRule,
    severity: "error",
    check({ fn, report }) {
      const reads = undefinedReads(fn, facts);
      const known = reads.length === 0 ? NONE : readUndefinedOnSomePath(before);
      for (const read of reads) if (!known.has(read.reg)) report(undefinedReadMessage(read), read);
    },
  };
}

const NONE: ReadonlySet<Reg> = new Set();
const readUndefined = new WeakMap<Func, { readonly version: number; readonly regs: ReadonlySet<Reg> }>();

/** Registers that are live into the entry: a superset of those that no definition reaches at all. Many versions are compared with one. */
function readUndefinedOnSomePath(fn: Func): ReadonlySet<Reg> {
  const known = readUndefined.get(fn);
  if (known !== undefined && known.version === fn.version) return known.regs;
  const [entry] = fn.layout;
  const regs = new Set(entry === undefined ? [] : liveness(fn).liveIn(entry));
  readUndefined.set(fn, { version: fn.version, regs });
  return regs;
}

/** Checks every function of a module, and that their names differ. */
export function verifyModule(module: Module, options: VerifyOptions = {}): Diagnostic[] {
  const found = module.funcs.flatMap((fn) => verifyFunc(fn, module, options));
  const names = new Set<string>();
  for (const { name, line } of module.funcs) {
    if (names.has(name)) {
      found.push({
        line: line || 1,
        column: 1,
        length: 0,
        severity: "error",
        code: "VER020",
        message: `Two functions have the name ${name}.`,
        suggestion: null,
      });
    }
    names.add(name);
  }
  return found;
}

function undefinedReadMessage({ reg, inst }: UndefinedRead): string {
  return `${inst.op} reads ${regName(reg)}, which nothing defines before`;
}
