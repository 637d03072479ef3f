/** Parameters of kernels that stay in constant bank 0, structs above all: symbols of the space `param`, named after their kernel. */

import type { ModuleSymbol } from "./types.ts";

const nameOf = (kernel: string, param: string): string => `${kernel}$${param}`;

export function paramSymbol(
  kernel: string,
  param: string,
  { size, align, offset }: Pick<ModuleSymbol, "size" | "align" | "offset">,
): ModuleSymbol {
  return { name: nameOf(kernel, param), space: "param", size, align, offset, init: null };
}

/** Of a kernel, by the parameter's own name. */
export function paramsInBank(kernel: string, symbols: readonly ModuleSymbol[]): ReadonlyMap<string, ModuleSymbol> {
  const start = nameOf(kernel, "");
  const own = symbols.filter(({ space, name }) => space === "param" && name.startsWith(start));
  return new Map(own.map((symbol) => [symbol.name.slice(start.length), symbol]));
}
