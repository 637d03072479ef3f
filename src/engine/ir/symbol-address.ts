/** Addresses of symbols. A run has them at fixed places, so that a text can name a byte of one, and a variable can begin with the address of another. */

import type { ModuleSymbol, SymbolAddress } from "./types.ts";

/** Declared global variables: after the windows of shared and local memory in the map of generic addresses, before the buffers of a run. */
export const GLOBAL_BASE = 0x0200_0000;
/** Functions whose address is taken, one in so many bytes. */
const FUNCTION_BASE = 0xe000_0000;
export const FUNCTION_BYTES = 16;

/** Of global memory and of functions the whole address; of the other spaces the offset in them, as their instructions take it. */
export function symbolAddress({ space, offset }: Pick<ModuleSymbol, "space" | "offset">): number {
  switch (space) {
    case "global":
      return GLOBAL_BASE + offset;
    case "func":
      return FUNCTION_BASE + offset;
    case "shared":
    case "local":
    case "const":
    case "param":
      return offset;
  }
}

/** `8:table+16`, as an address among the initial bytes is written. */
export const addressText = ({ at, name, offset }: SymbolAddress): string => `${at}:${name}${offset === 0 ? "" : `+${offset}`}`;
