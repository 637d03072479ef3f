/** LateOriCommoning as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const STAYS = "'{inst}' in {block} stays: {why}";

/**
 * A condition of EQUIV. All of them are shown for a pair, the first that fails decides. Their sentences are made in `equiv.ts`, since the
 * observed structure shows them, too.
 */
export const CONDITION = {
  kind: "note",
  step: {
    holds: "the condition holds: {why}",
    fails: { kind: "match", say: "'{inst}' stays: {why}" },
  },
  stays: "'{inst}' stays: {why}",
} as const;

export const RULES = rules({
  allocate: line(
    "return if the function's bit 'already processed' (+1368 bit 1) is set; else allocate the working set WS, and set it at the end",
    {
      kind: "note",
      step: "a working set for {name}",
      missed: {
        "already-processed": { say: "the bit 'already processed' of {name} is set: this phase has run on it", counts: false },
      },
      source: "copy-propagation-and-cse: LateCommoning, listing",
    },
  ),
  records: line(
    "AnalyzeControlFlow, full rebuild (sub_781F80, force = 1); again, without force, when a block is left with a stale record",
    BRIEF,
  ),
  chains: line("rebuild def chains and use chains: merges of registers and memory, values numbered along the dominator tree", {
    kind: "note",
    step: "merges of registers and memory in {blocks} {blocks:block|blocks}",
  }),
  reset: line("WS[7] = class table, one 64-bit mask a block; WS[9] = 0; every instruction's slot = hash -1, mask 0", {
    kind: "note",
    step: "{slots} {slots:slot|slots} in the class table, accumulator 0; {slotted} {slotted:instruction has|instructions have} no hash and no class yet",
  }),
  block: line("for each block in dominator order (WS[9] continues from the immediate dominator):", {
    step: "{block} has the order {order}",
  }),
  boundary: line("  block boundary: store WS[9] in the block's slot of the class table"),
  instruction: line("  for each instruction I:", { step: "next instruction: '{inst}'" }),
  remap: line("    replace each register that I reads by its representative (+88), while both hold the same value", {
    done: "'{inst}' reads {to:regs} instead of {from:regs}, because both have the same value",
    because: "{from} {from:has|have} the value that {to} {to:has|have}, computed by an earlier instruction",
  }),
  gate: line("    knob 844 lets I be tried?"),
  mov: line("    MOV: when WS[2] is not 0, shorten the chains of representatives; then d's representative is s", {
    kind: "note",
    step: {
      shortened: "WS[2] was {links}: the chains of representatives are looked through, {shortened} {shortened:becomes|become} shorter",
      linked: "the representative of {reg:reg} is {to:reg}",
    },
  }),
  sel: line("    SEL: WS[9] = 0, what was seen before is control-dependent"),
  phi: line("    PHI: store WS[9] in the block's slot"),
  hash: line("    else: hash(I) = opcode, values of the operands, address space; candidates = those with the same hash, the latest first", {
    kind: "value-number",
    step: {
      mixed: "the hash of '{inst}' is mixed from {parts} {parts:part|parts}",
      found: "{count} {count:candidate has|candidates have} the hash of '{inst}'",
    },
    stays: STAYS,
    missed: {
      results: { code: "eligible", counts: false, say: "it does not define exactly one register" },
      effect: { code: "eligible", counts: false, say: "it has an effect besides its result" },
      "reads-clock": {
        code: "eligible",
        counts: false,
        say: "it reads a clock",
        droppable: "two readings of a clock at different times count as one",
      },
      "volatile-access": {
        code: "eligible",
        counts: false,
        say: "it is a volatile access",
        droppable: "what another thread writes between the two accesses is never seen",
      },
      "active-lanes": {
        code: "eligible",
        counts: false,
        say: "it reads the active lanes",
        droppable: "lanes that left in between are counted as active",
      },
      "first-of-its-hash": { code: "candidate", counts: false, say: "nothing before it has its hash" },
    },
  }),
  classMask: line("      class(I) is not in the mask of this block (same block) or in its slot (blocks above): no such candidate", {
    stays: STAYS,
    missed: { "class-mask": { say: "no instruction of its class is in {where}" } },
  }),
  c1: line("      EQUIV, C1: the candidate stands in another block, or earlier in this one", {
    ...CONDITION,
    step: { ...CONDITION.step, pair: { kind: "span", say: "EQUIV('{existing:inst}', '{inst}')" } },
  }),
  c2: line(
    "      C2: its block dominates this block: (1 << dom) & dom_set[dom >> 5]; or up the immediate dominators (with +1370 bit 6 clear)",
    {
      ...CONDITION,
      missed: {
        "candidate-dominates": { code: "C2", say: "{why}", droppable: "on a path that bypasses the candidate its register may differ" },
      },
    },
  ),
  c3: line("      C3: no store, barrier or change of lanes between them that matters to I", {
    ...CONDITION,
    missed: {
      "state-unchanged": { code: "C3", say: "{why}", droppable: "a load gives what memory held before the store in between" },
    },
  }),
  c4: line("      C4: both without a predicate, or with the same one", {
    ...CONDITION,
    missed: {
      "same-guard": { code: "C4", say: "{why}", droppable: "lanes whose guard kept the candidate from running copy an old value" },
    },
  }),
  c5: line("      C5: I has operands", CONDITION),
  c6: line("      C6: definitions and uses stand in the same places", {
    ...CONDITION,
    missed: { "same-places": { code: "C6", say: "{why}", droppable: "a source of one is taken for the result of the other" } },
  }),
  c7: line(
    "      C7: same kinds (a), modifiers (b), register class (c); the candidate's register still holds its value (d, chain slot +92)",
    {
      ...CONDITION,
      missed: {
        "operand-kinds": { code: "C7a", say: "{why}", droppable: "an address counts as the value of its register" },
        modifiers: { code: "C7b", say: "{why}", droppable: "another operation, or the same with another sign, counts as the same" },
        "register-class": { code: "C7c", say: "{why}", droppable: "the copy reads a register of another width or kind" },
        "value-overwritten": { code: "C7d", say: "{why}", droppable: "the MOV copies what was written since" },
      },
    },
  ),
  common: line(
    "      all hold: representative of I's result = the candidate's; I becomes a MOV, or goes when it writes the same register",
    {
      done: {
        removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and is removed",
        copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and becomes a MOV",
      },
    },
  ),
  candidate: line("      else I becomes a candidate (+92 = its block), and WS[9] |= class(I)", {
    kind: "note",
    step: "'{inst}' is a candidate from here on",
  }),
  cleanup: line("delete the MOVs made here that nothing reads any more", {
    kind: "rewrite",
    step: {
      held: "'{inst}' is deleted: {leader:reg} has its value already",
      unread: "'{inst}' is deleted: every use reads the representative now",
    },
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
