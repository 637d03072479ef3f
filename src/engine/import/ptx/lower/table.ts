/** The lowering table: PTX root to row, one family a file. Roots without a row stay opaque. */

import { ARITHMETIC } from "./arith.ts";
import { ASYNC } from "./async.ts";
import { ATOMIC } from "./atomic.ts";
import { COMPARE } from "./compare.ts";
import type { Row } from "./context.ts";
import { CONVERT } from "./convert.ts";
import { FLOAT } from "./float.ts";
import { LOGIC } from "./logic.ts";
import { MBARRIER } from "./mbarrier.ts";
import { MEMORY } from "./memory.ts";
import { MOVE } from "./move.ts";
import { PARTS } from "./parts.ts";
import { STACK } from "./stack.ts";
import { WARP } from "./warp.ts";

const ROWS: ReadonlyMap<string, Row> = new Map(
  [ARITHMETIC, ASYNC, ATOMIC, COMPARE, CONVERT, FLOAT, LOGIC, MBARRIER, MEMORY, MOVE, PARTS, STACK, WARP].flatMap((family) =>
    Object.entries(family),
  ),
);

export function rowOf(root: string): Row | undefined {
  return ROWS.get(root);
}
