/** What a PTX instruction does, in a few words. */

import { instructionOf } from "./forms.ts";
import type { OpSpelling } from "./spelling.ts";

/** Words that change what the root alone says. */
const FORMS: Readonly<Record<string, string>> = {
  "mul.hi": "high half of a * b",
  "mul.lo": "low half of a * b",
  "mul.wide": "a * b, twice as wide",
  "mad.hi": "high half of a * b, plus c",
  "mad.lo": "low half of a * b, plus c",
  "mad.wide": "a * b, twice as wide, plus c",
  "ld.param": "load of a parameter",
  "st.param": "store of an argument or a result",
  "cvta.to": "generic address to an address of the space",
  "vote.ballot": "mask of the lanes whose predicate holds",
  "bar.warp": "waits for lanes of the warp",
  "bra.uni": "branch that all lanes take together",
};

/** Null for a root that no PTX version has. */
export function ptxMeaning(op: OpSpelling): string | null {
  for (const mod of op.mods) {
    const form = FORMS[`${op.root}.${mod}`];
    if (form !== undefined) return form;
  }
  return instructionOf(op.root)?.meaning ?? null;
}
