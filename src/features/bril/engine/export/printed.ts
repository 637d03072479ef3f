/** An instruction's opcode as people read it. */

import type { Inst } from "../../../../engine/ir/types.ts";

export const printedOp = (inst: Inst): string => [inst.op, ...inst.mods].join(".");
