/** What the walk and its rules share. */

import type { DomWalk } from "../../analysis/value-environment.ts";
import type { Budget } from "../../config/knob-store.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { PassContext } from "../pass.ts";
import type { Chains } from "./candidates.ts";
import type { Surroundings } from "./equiv.ts";
import type { HashView } from "./hash-view.ts";
import type { EquivRow } from "./rows.ts";
import type { Values } from "./values.ts";
import type { WorkingSet } from "./working-set.ts";

export interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly walk: DomWalk;
  readonly values: Values;
  readonly ws: WorkingSet;
  readonly chains: Chains;
  readonly surroundings: Surroundings;
  /** The representative of a register. */
  readonly instead: (r: Reg) => Reg;
  readonly budget: Budget;
  /** MOVs link representatives. */
  readonly moves: boolean;
  /** Whether sources that commute are sorted. */
  readonly exchanged: (inst: Inst) => boolean;
  /** Instructions that rewrite the value that their register already has, and the MOVs made here. */
  readonly doomed: Map<InstId, Reg>;
  readonly made: Set<InstId>;
  readonly equivView: ShownTable<EquivRow>;
  readonly hashView: HashView;
  /** Where the walk is. */
  block: BlockId;
  order: number;
  at: number;
}
