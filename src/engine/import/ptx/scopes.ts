/** Names of a PTX body: registers, variables, labels and target lists, block by block; inner declarations shadow outer ones. */

import type { Reg } from "../../ir/ids.ts";
import type { LabelStmt, MemoryAst, NameAst, TargetList, VariableAst } from "./ast.ts";
import type { PtxType } from "./types.ts";

/** A declared (or inferred) PTX register. `reg` is the Ori register, given at its first use. */
export interface PtxRegister {
  readonly kind: "register";
  readonly name: string;
  readonly type: PtxType;
  /** Elements of a vector register (`.reg .v4 .f32 v`), by suffix; null for a scalar. */
  readonly parts: ReadonlyMap<string, PtxRegister> | null;
  /** Number of elements. */
  readonly width: number;
  /** Nobody declared it: its type is a guess. */
  readonly inferred: boolean;
  reg: Reg | null;
}

/** A variable as a body sees it; the lowering hangs its address or registers on it by identity. */
export interface PtxVariable {
  readonly kind: "variable";
  readonly variable: VariableAst;
}

export type Named = PtxRegister | PtxVariable;

interface Range {
  readonly count: number;
  readonly type: PtxType;
}

/** Limit on the digits examined of a register number: names of thousands of digits are garbage and must not cost quadratic time. */
const MAX_DIGITS = 10;

const PART_NAMES: readonly (readonly string[])[] = [
  ["x", "r"],
  ["y", "g"],
  ["z", "b"],
  ["w", "a"],
];

export function makeRegister(name: string, type: PtxType, vector = 1, inferred = false): PtxRegister {
  let parts: Map<string, PtxRegister> | null = null;
  if (vector > 1) {
    parts = new Map();
    for (let i = 0; i < vector && i < 4; i++) {
      const part = makeRegister(`${name}.${PART_NAMES[i]?.[0] ?? ""}`, type);
      for (const suffix of PART_NAMES[i] ?? []) parts.set(suffix, part);
    }
  }
  return { kind: "register", name, type, parts, width: parts === null ? 1 : vector, inferred, reg: null };
}

/**
 * One `{ }` of a body, or the module. Lookups cache their results, so that each name costs one climb; that is why declarations come before uses,
 * as PTX requires. Labels may come after their uses and are looked up without the cache.
 */
export class Scope {
  readonly parent: Scope | null;
  private readonly names = new Map<string, Named>();
  /** What lookups found further out. */
  private readonly found = new Map<string, Named>();
  private readonly ranges = new Map<string, Range>();
  private readonly labels = new Map<string, LabelStmt>();
  private readonly targets = new Map<string, TargetList>();

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  /** Declares a name; returns its previous declaration. */
  declare(name: string, what: Named): Named | null {
    const before = this.names.get(name) ?? null;
    this.names.set(name, what);
    return before;
  }

  /** `.reg .b32 %r<10>` declares %r0 to %r9 without making any of them. */
  declareRange(prefix: string, count: number, type: PtxType): void {
    this.ranges.set(prefix, { count: Math.max(count, this.ranges.get(prefix)?.count ?? 0), type });
  }

  /** True when registers are declared here or further out. */
  hasRegisters(): boolean {
    if (this.ranges.size > 0 || this.parent?.hasRegisters() === true) return true;
    for (const named of this.names.values()) if (named.kind === "register" && !named.inferred) return true;
    return false;
  }

  /** Declares a label; false when the scope has it already. */
  declareLabel(label: LabelStmt): boolean {
    if (this.labels.has(label.name)) return false;
    this.labels.set(label.name, label);
    return true;
  }

  declareTargets(list: TargetList): void {
    this.targets.set(list.name, list);
  }

  /** The register or variable this name means here. */
  find(name: string): Named | null {
    const own = this.names.get(name) ?? this.fromRange(name) ?? this.found.get(name);
    if (own !== undefined) return own;
    for (let scope = this.parent; scope !== null; scope = scope.parent) {
      const found = scope.names.get(name) ?? scope.fromRange(name) ?? scope.found.get(name);
      if (found !== undefined) {
        this.found.set(name, found);
        return found;
      }
    }
    return null;
  }

  findLabel(name: string): LabelStmt | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const found = scope.labels.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  findTargets(name: string): { readonly list: TargetList; readonly scope: Scope } | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const list = scope.targets.get(name);
      if (list !== undefined) return { list, scope };
    }
    return null;
  }

  private fromRange(name: string): PtxRegister | undefined {
    if (this.ranges.size === 0) return undefined;
    let at = name.length;
    while (at > 0 && name.length - at < MAX_DIGITS && isDigit(name.charCodeAt(at - 1))) at--;
    // `%r1<3>` declares %r10 to %r12: every split of the trailing digits may be the prefix.
    for (; at < name.length; at++) {
      const range = this.ranges.get(name.slice(0, at));
      const digits = name.slice(at);
      if (range !== undefined && Number(digits) < range.count && (digits === "0" || digits.charCodeAt(0) !== 48)) {
        const made = makeRegister(name, range.type);
        this.names.set(name, made);
        return made;
      }
    }
    return undefined;
  }
}

/** What the name of an operand, or its base, means in its scope: looked up once, and again only where nothing declares it. */
export function namedOf(scope: Scope, o: NameAst | MemoryAst): Named | null {
  if (o.named === null) o.named = scope.find(o.kind === "name" ? o.name : (o.base ?? ""));
  return o.named;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}
