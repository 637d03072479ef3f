/** OriReassociateAndCommon as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

const STAYS = "'{inst}' in {block} stays: {why}";
const LEAF = { kind: "note", step: "{leaf} is a leaf ({rule}): {why}" } as const;

export const RULES = rules({
  block: line("for each block in RPO:", {
    step: { all: { kind: "span", say: "reassociate in {blocks} {blocks:block|blocks}" }, one: "expression trees of {block}" },
  }),
  uses: line("  count the uses of each definition inside the block, and where its operands are written next", {
    kind: "note",
    step: "uses and next writes of {count} {count:instruction|instructions}",
  }),
  sub: line("  for each ISUB: when its only use is an ADD of the same tree, turn it: a - b becomes a + -b", {
    stays: STAYS,
    missed: {
      unread: { code: "sub-stays", say: "nothing in the block reads it" },
      "several-uses": { code: "sub-stays", say: "its value has several uses" },
      "read-outside": { code: "sub-stays", say: "it shows through the next write of its register, which is under a guard" },
      "other-use": { code: "sub-stays", say: "its use, {user}, is not an addition that could include it" },
    },
    done: "'{inst}' feeds only '{user:inst}': it becomes '{made:inst}', and the negation is absorbed in the operand",
    because: "'{user}' is an addition and the only use of '{inst}', so both belong to one sum",
  }),
  root: line("  for each ADD, MUL, AND, OR, XOR without a guard that no larger tree takes in, from the last to the first:", {
    step: "'{inst}' is the root of {nodes} {nodes:node|nodes} and {leaves} {leaves:leaf|leaves}",
    stays: STAYS,
    missed: { guarded: { say: "it has a guard" } },
  }),
  measured: line("    policy 'measured' keeps every tree of three or more leaves", {
    policy: "measured",
    stays: STAYS,
    missed: {
      "measured-sub": { code: "measured", say: "ptxas 13.0.88 was never seen to common regrouped sums" },
      "measured-tree": { code: "measured", say: "ptxas 13.0.88 was never seen to common regrouped sums or products" },
    },
  }),
  flatten: line("    flatten: follow operands upwards; an operand is a leaf when"),
  leafOther: line("      (a) another operation defines it, or (b) it is a constant,", LEAF),
  leafOutside: line("      or (c) it comes from outside the block, or (d) its value has other uses,", LEAF),
  leafOverwritten: line("      or (e) an operand further up is overwritten before the root (not stated in the reference)", LEAF),
  distribute: line("    distribute, while the budget lasts: a*b + a*c with products used here only becomes a*(b + c)", {
    found: "{a} and {b} share the factor {factor}: '{first:inst}' and '{second:inst}' become '{sum:inst}' and '{made:inst}'",
    stays: STAYS,
    missed: { "distribute-budget": { say: "the budget for distributing is spent" } },
  }),
  two: line("    two leaves or fewer: nothing to reassociate", {
    stays: STAYS,
    missed: { "two-leaves": { say: "with two leaves there is nothing to reassociate" } },
  }),
  budget: line("    let the first ReassociateCSESkip candidates pass, then take one of ReassociateCSEBudget each", {
    stays: STAYS,
    missed: {
      skip: { say: "candidate {n} of the first {first} that are let pass" },
      budget: { say: "the budget is spent" },
    },
  }),
  sort: line("    sort the leaves: constants last, then by value number (register index)", {
    kind: "note",
    step: "in canonical order: {order}",
    stays: STAYS,
    missed: { canonical: { say: "its leaves are in canonical order, in a left-leaning chain" } },
  }),
  rebuild: line("    rebuild: t = l0 op l1; t = t op l2; … ; the root takes the last one", {
    done: {
      factored: "'{inst}' is rebuilt as {count} {count:instruction|instructions}, the common factor outside",
      chained: "'{inst}' is rebuilt from {leaves} as a left-leaning chain of {count}",
    },
    because: {
      factored: "its products share a factor, so one multiplication is enough",
      chained: "its operands {leaves} may be combined in any order, and in one fixed order equal parts become equal instructions",
    },
  }),
  window: line("for each block in RPO, with those it runs straight into, and a window of ReassociateCSEWindow instructions:", {
    step: {
      all: { kind: "span", say: "common in {blocks} {blocks:block|blocks}" },
      chain: "common inside {blocks}, {window} {window:instruction|instructions} back at most",
    },
  }),
  key: line("  key(I) = opcode, modifiers, numbers of the operands (sorted where they commute), guard, memory state", {
    kind: "value-number",
    step: "'{inst}' has the key {key}",
  }),
  lookup: line("  look key(I) up in the hash table: FNV-1a, bucket, chain"),
  miss: line("  a miss: I leads", {
    stays: STAYS,
    missed: { "first-of-its-key": { code: "leader", counts: false, say: "nothing in the block has the key {key} yet, so it leads" } },
  }),
  far: line("  the leader is further back than the window: I leads from here", {
    stays: STAYS,
    missed: { window: { say: "its leader is {back} {back:instruction|instructions} back, more than the window of {window}" } },
  }),
  overwritten: line("  the leader's register was written since: I leads from here", {
    stays: STAYS,
    missed: {
      "value-overwritten": {
        code: "overwritten",
        say: "{leader:reg} no longer contains the leader's value",
        droppable: "the MOV copies what was written since",
      },
      "register-class": {
        say: "{leader:reg} can't be copied into the uniform {dest:reg}",
        fixed: "There is no such instruction: only uniform instructions write a uniform register.",
      },
    },
  }),
  replace: line("  else replace I by a MOV from the leader, or delete it when it writes the leader's register", {
    stays: STAYS,
    missed: { "commoning-budget": { code: "budget", say: "the budget is spent" } },
    found: {
      removed: { kind: "rewrite", say: "'{inst}' computes again what {leader:reg} contains, and is removed" },
      copied: { kind: "rewrite", say: "'{inst}' computes again what {leader:reg} contains, and becomes a MOV" },
    },
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
