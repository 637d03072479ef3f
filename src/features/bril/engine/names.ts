/** What an imported function's registers and blocks were called in Bril: what hovering shows and export gives back. */

import type { Reg } from "../../../engine/ir/ids.ts";
import type { BrilType } from "./ast.ts";
import type { Runtime } from "./runtime.ts";

export interface BrilVariable {
  /** Null: the importer's own, for one value between two instructions. */
  readonly name: string | null;
  readonly type: BrilType;
}

export interface BrilFunctionNames {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly type: BrilType }[];
  readonly type: BrilType | null;
  readonly variables: ReadonlyMap<Reg, BrilVariable>;
  /** By the block's label in Ori. */
  readonly labels: ReadonlyMap<string, string>;
}

export interface BrilNames {
  /** By the name in Ori, in the order of the text. */
  readonly functions: ReadonlyMap<string, BrilFunctionNames>;
  readonly runtime: ReadonlyMap<string, Runtime>;
}
