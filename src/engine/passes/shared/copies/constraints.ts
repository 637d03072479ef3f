/**
 * The register constraints of the function: the array at +440 that `sub_91D150` looks into, a word a register (general-optimize, The Eligibility Check).
 * 0 means that nothing prevents a fold. What the other words mean is not described: here 1 is a register that a function receives or returns.
 */

import type { Reg } from "../../../ir/ids.ts";
import { regName } from "../../../ir/reg.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import type { ConstraintRow } from "./rows.ts";

const NONE = 0;
const INTERFACE = 1;

export class RegisterConstraints {
  private readonly fixed: ReadonlySet<Reg>;
  private readonly view: ShownTable<ConstraintRow>;

  constructor(fixed: ReadonlySet<Reg>, remark: Remarks) {
    this.fixed = fixed;
    this.view = remark.shown.table("register-constraints", "Register constraints (+440), as far as they are set or asked for");
    for (const r of fixed) this.view.set(regName(r), { word: INTERFACE, means: "a register of the function's interface" });
  }

  /** `sub_91D150`: the register's word. */
  of(r: Reg): number {
    return this.fixed.has(r) ? INTERFACE : NONE;
  }

  /** The look-up as it is shown: the word, and the row it stands in. */
  look(r: Reg): { readonly reg: Reg; readonly word: number; readonly node: string } {
    const word = this.of(r);
    if (word === NONE) this.view.set(regName(r), { word, means: "none" });
    return { reg: r, word, node: this.view.node(regName(r)) };
  }
}
