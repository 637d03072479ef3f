/** The one list of kinds. Adding one is one value here. */

import type { Form } from "../forms.ts";
import { BrokenTask } from "../stage.ts";
import { choice, number, text } from "./asked.ts";
import { findWrong, tests } from "./broken.ts";
import { edit } from "./edit.ts";
import { fill } from "./fill.ts";
import type { AnyKind, Context } from "./kind.ts";
import { mark } from "./mark.ts";
import { order } from "./order.ts";
import { predict } from "./predict.ts";
import { reach } from "./reach.ts";
import { simulate } from "./simulate.ts";
import { write } from "./write.ts";

export const KINDS: readonly AnyKind[] = [predict, simulate, mark, fill, order, edit, reach, findWrong, tests, choice, number, text, write];

export function kindOf(name: string): AnyKind | null {
  return KINDS.find((kind) => kind.name === name) ?? null;
}

/** Throws `BrokenTask` where the lab is at fault. */
export function formOf(ctx: Context): Form {
  const { kind, spec } = ctx.task;
  const known = kindOf(kind);
  if (known === null) throw new BrokenTask(`there is no kind ${kind}`);
  return known.form(spec, ctx);
}
