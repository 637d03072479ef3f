/** The module's address symbols: offsets within each space are assigned in the order of declaration. */

import { symbolAddress } from "../ir/symbol-address.ts";
import type { ModuleSymbol, Trivia } from "../ir/types.ts";

export const SPACES = ["global", "shared", "const", "local", "param", "func"] as const satisfies readonly ModuleSymbol["space"][];

export function isSpace(word: string): word is ModuleSymbol["space"] {
  return SPACES.some((space) => space === word);
}

export class SymbolTable {
  readonly list: ModuleSymbol[] = [];
  private readonly byName = new Map<string, ModuleSymbol>();
  private readonly ends = new Map<string, number>();

  /** False when the name is taken. `offset` null: the next free one. */
  add(symbol: Omit<ModuleSymbol, "offset" | "trivia">, offset: number | null, trivia: Trivia | null): boolean {
    if (this.byName.has(symbol.name)) return false;
    const at = offset ?? this.nextOffset(symbol);
    const entry: ModuleSymbol = { ...symbol, offset: at, ...(trivia === null ? {} : { trivia }) };
    this.list.push(entry);
    this.byName.set(symbol.name, entry);
    this.ends.set(symbol.space, Math.max(this.ends.get(symbol.space) ?? 0, at + symbol.size));
    return true;
  }

  /** Where a symbol would be if it came next. */
  nextOffset(symbol: Pick<ModuleSymbol, "space" | "align">): number {
    const end = this.ends.get(symbol.space) ?? 0;
    return Math.ceil(end / symbol.align) * symbol.align;
  }

  addressOf(name: string): number | null {
    const symbol = this.byName.get(name);
    return symbol === undefined ? null : symbolAddress(symbol);
  }
}
