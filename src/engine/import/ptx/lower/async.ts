/** Asynchronous copies from global to shared memory, their groups and the wait for them. */

import { immOp } from "../../../ir/builder.ts";
import type { Row } from "./context.ts";
import { arriveAfterCopies } from "./mbarrier.ts";
import { address } from "./memory.ts";
import { has } from "./modifiers.ts";

const SIZES: Readonly<Record<number, string>> = { 4: "32", 8: "64", 16: "128" };
/** Cache hints do not change what is copied. */
const HINT = /^(?:L2::\w+)$/;
const WORDS = new Set(["async", "ca", "cg", "shared", "shared::cta", "global"]);

/** Bulk copies, tensors and copies to other blocks stay opaque. */
const cp: Row = (c, op, a) => {
  if (!has(op, "async") || has(op, "bulk")) return c.fail();
  if (has(op, "mbarrier")) return arriveAfterCopies(c, op, a);
  if (has(op, "commit_group")) return c.emit("LDGDEPBAR", []);
  if (has(op, "wait_all")) {
    c.emit("LDGDEPBAR", []);
    return c.emit("DEPBAR", [immOp(0)]);
  }
  const [first, from, size, filled, ...more] = a;
  if (has(op, "wait_group")) return first?.kind === "int" ? c.emit("DEPBAR", [immOp(Number(first.value))]) : c.fail();
  const mod = size?.kind === "int" ? SIZES[Number(size.value)] : undefined;
  if (mod === undefined || more.length > 0 || !op.mods.every((m) => WORDS.has(m) || HINT.test(m))) return c.fail();
  // The fourth operand is a number of bytes, a predicate (ignore the source) or, with an L2 hint, a cache policy.
  if (filled !== undefined && (has(op, "L2::cache_hint") || c.registerOf(filled)?.type.kind === "pred")) return c.fail();
  const target = address(c, first, "shared");
  const source = address(c, from, "global");
  c.emit("LDGSTS", [target, source, ...(filled === undefined ? [] : [c.read32(filled)])], [mod]);
};

export const ASYNC: Readonly<Record<string, Row>> = { cp };
