/** GeneralOptimizeLate as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

const STAYS = "'{inst}' in {block} stays: {why}";

export const RULES = rules({
  flags: line("flags (+1396): bits 4 and 5 must not be 10, a reduced level; bit 2 enables immediate copies, bit 3 register copies", {
    gates: {
      level: {
        open: "bits 4 and 5 of the flags {flags} are not those of a reduced level",
        shut: "bits 4 and 5 of the flags {flags} are those of a reduced level",
      },
      flags: {
        open: "copies are examined (flags {flags})",
        shut: "no copies are examined (flags {flags})",
      },
    },
  }),
  restricted: line("knob 605: let nothing new into the ring", {
    gates: { "605": { open: "knob 605 is off: copies go into the ring", shut: "knob 605: nothing new goes into the ring" } },
  }),
  counters: line("seven counters and changed flags := 0", { kind: "note", step: "seven counters are cleared" }),
  blocks: line("for each block, once, in layout order:", { step: "walk {block}" }),
  ring: line("  the ring of six slots is empty; liveness gives the copies that nothing reads", {
    kind: "note",
    step: "the ring is empty; {count} {count:copy is|copies are} dead",
  }),
  instruction: line("  for each instruction I:", { step: "'{inst}' copies {source}" }),
  dead: line("    I is a dead copy: remove it; counter 3", { done: "'{inst}' is dead and is removed" }),
  notCopy: line("    I is no unguarded copy of a register or an immediate: go on below", {
    stays: STAYS,
    missed: { "plain-copy": { counts: false, say: "it has a guard, or does not copy a whole register or an integer" } },
  }),
  registers: line("    its registers are neither uniform nor parts of anything else, and its variant is enabled", {
    stays: STAYS,
    missed: {
      flags: { say: "copies of its kind are not examined" },
      "register-class": { say: "a uniform register takes no part" },
    },
  }),
  match: line("    a slot holds a pair with the same source:", { found: "slot {slot} has {source} in {dest:reg}" }),
  repeat: line("      the slot's destination is I's destination: I is redundant and is removed; counter 2, 4 for I = MOV R, R", {
    done: {
      self: "'{inst}' copies a register to itself and is removed",
      repeat: "'{inst}' repeats the pair in a slot and is removed",
    },
    because: {
      self: "it copies a register to itself",
      repeat: "an earlier copy, which the ring still contains, has made the same copy into the same register",
    },
  }),
  reuse: line("      else I takes the slot's destination as its source; counter 0 (register) or 1 (immediate), 5 predicate, 6 64 bit", {
    done: "'{inst}' takes {from:reg}, which slot {slot} has copied from {source} already",
    because: "{from} is a copy of {source} already, so both have the same value",
  }),
  second: line("      the slot remembers I as its second instruction", { kind: "note", step: "slot {slot} has the pair now" }),
  insert: line("    no slot does: unless knob 605 says no, I goes into the next slot, evicting what is there", {
    kind: "note",
    step: {
      free: "'{inst}' goes into slot {slot}",
      evicts: "'{inst}' goes into slot {slot}, and the copy into {evicted:reg} leaves it",
    },
    stays: STAYS,
    missed: { "nothing-new": { code: "605", say: "it is new, and knob 605 lets nothing new in" } },
  }),
  invalidate: line("    I writes a register that a slot's destination or source names: the slot is emptied", {
    kind: "note",
    step: "'{inst}' writes {reg}: {slots:slot|slots} {slots} {slots:is|are} emptied",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
