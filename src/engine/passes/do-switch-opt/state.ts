/** What the parts of the phase share, and how remarks name a chain. */

import type { Regrouping } from "../../analysis/regrouping.ts";
import { FUNC_FLAG } from "../../ir/flags.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import type { CaseSets } from "./case-sets.ts";
import { SwitchOptContext } from "./context.ts";
import type { SwitchChain } from "./scan.ts";
import type { Choice, StrategyLimits } from "./strategy.ts";

export interface State extends Pick<PassContext, "edit" | "remark" | "policy"> {
  readonly limits: StrategyLimits;
  /** SwitchOptExtendedPatternMatch. */
  readonly extended: boolean;
  /** SwitchOptBudget; null: no limit. */
  readonly mostCases: number | null;
  /** Cases taken from the budget. */
  cases: number;
  /** The function as it came in, for the head rule of policy 'measured'. */
  readonly source: { readonly source?: Func };
  /** Made for the first chain. */
  context: SwitchOptContext | null;
  /** Of the function when it was scanned last. */
  rpo: Int32Array;
  regrouping: Regrouping;
  readonly chains: SwitchChain[];
  readonly lowered: Decided[];
}

/** A chain with what was decided about it. */
export interface Decided {
  readonly chain: SwitchChain;
  readonly choice: Choice;
  readonly sets: CaseSets;
  /** Tells the structures of one switch from those of the next. */
  readonly suffix: string;
}

/** A chain, in remarks. */
export interface Said {
  readonly head: BlockId;
  readonly blocks: readonly BlockId[];
}

export function saidOf({ links, fallback }: SwitchChain, from = 0): Said {
  const blocks = links.map((link) => link.block);
  // A chain has a link at every index that a choice names.
  return { head: blocks[from] ?? fallback, blocks };
}

export const setup = line(
  "    the first chain: make the context of the switches if there is none, room for blocks + 2 // SwitchOptContext, +1288",
  {
    kind: "note",
    step: {
      made: "the context of {name} is made, room for {room} {room:case|cases}, two more than blocks",
      kept: "the context of {name} was made by an earlier run and is kept, room for {room} {room:case|cases}, two more than blocks",
    },
    source: "branch-and-switch: phase 30, sub_791F00(ctx, 1)",
  },
);

/** The context of the switches, made for the first chain. */
export function contextOf(state: State): SwitchOptContext {
  const { edit, remark } = state;
  const { name, layout, flags } = edit.func;
  if (state.context === null) {
    state.context = new SwitchOptContext(name, layout.length, (id) => edit.block(id).label, remark);
    remark.step(setup, (flags & FUNC_FLAG.SWITCH_CONTEXT) === 0 ? "made" : "kept", { name, room: state.context.room });
    edit.setFuncFlags(flags | FUNC_FLAG.SWITCH_CONTEXT);
  }
  return state.context;
}
