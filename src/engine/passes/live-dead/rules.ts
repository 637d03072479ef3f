/** OriPerformLiveDead as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

export const RULES = rules({
  overwritten: line("measured: the next memory access in its block overwrites a store's words: remove the first store", {
    policy: "measured",
    found: "'{inst}' in {block} is removed: '{by:inst}' overwrites it before anything reads memory",
    missed: {
      policy: {
        counts: false,
        why: "only policy 'measured' removes stores",
        say: "'{inst}' in {block} stays although '{by:inst}' overwrites it: only policy 'measured' removes stores",
      },
    },
  }),
  start: line("live_in[b] = {} for every block b; every block is to be visited", {
    step: "{func}: {blocks} {blocks:block|blocks} to visit",
  }),
  round: line("repeat (a round), until no block is to be visited:", { kind: "round", step: "round {round}" }),
  visit: line("  for each such block b, in the reverse of the reverse post-order:", { step: "round {round}: {block}" }),
  union: line("    live = union of live_in[s] over the successors s of b", {
    kind: "liveness",
    step: { nothing: "nothing is live after {block}", some: "live after {block}: {regs:regs}" },
  }),
  phi: line("         + what the PHIs of s that are needed take from b", {
    kind: "liveness",
    step: "after {block} stand {phis:insts}: what those of them that are needed take from it is live, too",
  }),
  walk: line("    for each instruction i of b, from the last to the first:", {
    step: "{count} {count:instruction|instructions} of {block}, backwards",
  }),
  effect: line("      i has an effect: needed; what it reads becomes live", {
    kind: "liveness",
    step: "'{inst}' has an effect: what it reads is needed",
  }),
  result: line("      a result of i is live: needed; the result leaves live unless i is guarded, what i reads becomes live", {
    kind: "liveness",
    step: "'{inst}' computes {regs}, which is live: what it reads is needed",
  }),
  dead: line("      else i is passed over, and what it reads stays as it was", {
    kind: "liveness",
    step: "'{inst}' computes {regs}, which nothing needs so far: passed over",
  }),
  test: line("    if live holds more than live_in[b]:", {
    step: { nothing: "nothing is live at the head of {block}", some: "live at the head of {block}: {regs:regs}" },
  }),
  grown: line("      live_in[b] = live; the predecessors of b are to be visited", {
    kind: "liveness",
    step: {
      above: "{added:regs} joined: the predecessors of {block} are to be visited ({preds:blocks})",
      entry: "{added:regs} joined; {block} has no predecessor",
    },
  }),
  same: line("    else nothing changes before b", { kind: "liveness", step: "nothing new is live at the head of {block}" }),
  removal: line("for each block b, from the last to the first instruction, with the sets as they are now:", {
    step: { all: { kind: "round", say: "removal, after {rounds} {rounds:round|rounds}" }, block: "look for dead instructions in {block}" },
  }),
  keepEffect: line("  i has an effect: it stays, even if nothing reads its results", {
    missed: { effect: { counts: false, say: "nothing reads {regs}, but '{inst}' in {block} stays: {effect}" } },
  }),
  keepLive: line("  a result of i is live: it stays", {
    missed: { live: { counts: false, say: "{reg:reg} is {reader}, so '{inst}' stays" } },
  }),
  remove: line("  else: remove i", {
    found: {
      useless: "'{inst}' in {block} has no result and no effect",
      unread: "nothing needs {regs}: '{inst}' in {block} is removed",
    },
  }),
  report: line("report what was removed", {
    kind: "note",
    step: "{removed} {removed:instruction|instructions} removed; {kept} {kept:has a dead result and stays for its effect|have dead results and stay for their effect}",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
