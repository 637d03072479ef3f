/** DoSwitchOptFirst as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

export const RULES = rules({
  dispatch: line("DoSwitchOptFirst(function): run what the backend has for it (slot 17)", {
    kind: "note",
    step: "{backend} ({family}) fills slot {slot} of its table: it {does}",
    source: "branch-and-switch: Phase 14 Vtable Slot 17",
  }),
  sync: line("  handler A, first half, unless knob 232 is set:", {
    kind: "span",
    step: "look for sync pairs whose region cannot diverge",
  }),
  bssy: line("    for each BSSY of a barrier, in layout order:", { step: "{block} opens the region of {barrier:reg}" }),
  walk: line("      walk from it to the BSYNCs of that barrier", {
    missed: {
      "too-large": { say: "the regions of the function are too large to walk" },
      "no-bsync": { say: "no BSYNC of {barrier:reg} is reached from {block}" },
    },
  }),
  barrier: line("        no second BSSY, no BREAK or other use of the barrier on the way", {
    missed: {
      "barrier-open": {
        say: "another region of {barrier:reg} may be open already at the BSSY of {block}, which takes its lanes out of it",
        droppable: "lanes stay in the region that was open and wait at its BSYNC for lanes that never come, or run without them",
      },
      "barrier-used": {
        say: "{op} in {inside:block} uses {barrier:reg} inside its region",
        droppable: "what uses the barrier finds no region of it",
      },
    },
  }),
  guards: line("        no guard on the pair, nor one that lanes may disagree about on another barrier or region", {
    missed: {
      "no-barrier": { say: "the BSSY of {block} names no barrier register" },
      "guarded-bssy": {
        code: "guarded-pair",
        say: "the BSSY of {block} is guarded",
        droppable: "lanes that did not enter the region are counted together with those that did",
      },
      "guarded-bsync": {
        code: "guarded-pair",
        say: "the BSYNC in {inside:block} is guarded",
        droppable: "lanes that pass the guarded BSYNC no longer leave those behind that wait at it",
      },
      "divergent-guard": {
        say: "lanes may disagree about the guard of {op} in {inside:block}",
        droppable: "lanes that the guard sends apart do not reconverge at the BSYNC",
      },
    },
  }),
  divergent: line("        no branch on the way that lanes may leave on different edges", {
    found:
      "no lane can leave the others between {block} and the {syncs} BSYNC of {barrier:reg}: {branches} {branches:branch|branches}, all uniform",
    missed: {
      "divergent-branch": {
        say: "lanes may diverge at the end of {inside:block}, inside the region of {barrier:reg}",
        droppable: "lanes that went apart are not together after the region, which a vote there sees",
      },
    },
  }),
  alone: line("      each of these BSYNCs is reached from this BSSY alone, closes no other region, and is the last to name the barrier", {
    missed: {
      "shared-bsync": {
        say: "the BSYNC in {inside:block} is reached without the BSSY of {block}",
        droppable: "the lanes of the other region have no BSYNC left at which to wait for each other",
      },
      "closes-others": {
        say: "the BSYNC in {inside:block} may close regions that were opened inside of the one of {barrier:reg}",
        droppable: "lanes that wait in the inner region are no longer waited for",
      },
      "later-use": {
        say: "after the BSYNC in {inside:block}, {later:block} names {barrier:reg} again without another BSSY",
        droppable: "the later instruction finds no region of the barrier",
      },
    },
  }),
  remove: line("      delete BSSY and BSYNCs, and note their blocks as modified", {
    kind: "rewrite",
    step: "{pairs} sync {pairs:pair is|pairs are} gone; {modified} {modified:block was|blocks were} modified",
  }),
  scan: line("  handler A, second half, if the backend scans branch targets:", {
    kind: "span",
    step: "scan the block operands of jump tables and BSSY",
  }),
  patterns: line("    first the scanner of branch patterns (sub_7E6090): how each block ends", {
    kind: "note",
    step: "{tables} {tables:block ends|blocks end} with a table, {tests} with a condition, {jumps} with a jump, {exits} with an exit; {regions} {regions:region is|regions are} opened",
  }),
  operands: line("    for each table of BRX or JMX, its block operands from the last to the first; for each BSSY, its label:", {
    step: {
      operand: "operand {place} of {table}, {target:block}, is a block (type 5)",
      label: "the label of the BSSY of {block}, {target:block}, is a block (type 5)",
    },
    found: "the BSSY of {block} names {from:block}, which only jumps on to {to:block}",
  }),
  follow: line("      follow blocks that hold nothing but a jump, each at most once", {
    found: "{from:block} in {table} leads to {to:block} by {skipped} {skipped:block that only jumps|blocks that only jump} on",
  }),
  phi: line("      PHIs of the final block must get the same values on both edges", {
    missed: {
      "phi-conflict": {
        say: "a PHI of {to:block} has a different value for the direct edge, so {from:block} stays in {table}",
        droppable: "the PHI has one value for lanes that took two edges, and some of them get the value of the other edge",
      },
    },
  }),
  regroup: line("      no lanes may meet earlier than before where that matters", {
    missed: {
      convergence: {
        say: "lanes that reach {to:block} by {from:block} and by another entry would reconverge earlier, which matters for {op} in {sees:block}",
        droppable: "lanes that came one group after the other reconverge, and the instruction sees more of them at once",
      },
      "past-table": {
        code: "convergence",
        say: "lanes that reach {to:block} through {table} and past it would no longer be together as they were, which matters for {op} in {sees:block}",
        droppable:
          "lanes that the guard of the jump holds back diverge from those that the table sends to the same block, or reconverge with others",
      },
      "search-too-large": {
        code: "convergence",
        say: "lanes that reach {to:block} by {from:block} and by another entry would reconverge earlier, which matters for code too large to search",
      },
    },
  }),
  budget: line("      one retargeting from the budget of knob 351", {
    missed: {
      "none-for-table": { code: "budget", say: "no retargeting is left for {from:block} in {table}" },
      "none-for-label": { code: "budget", say: "no retargeting is left for the BSSY of {block}" },
    },
  }),
  retarget: line("      name the final block instead", {
    kind: "rewrite",
    step: {
      table: "{changed} {changed:target|targets} of {table} (read in {blocks}) {changed:is|are} named directly now",
      label: "the BSSY of {block} names {to:block} now",
    },
  }),
  near: line("  handler B:", { kind: "span", step: "classify the control instructions of {bytes} {bytes:byte|bytes}" }),
  category: line("    for each control instruction in layout order: its category", {
    step: { named: "{op} in {block}: {category}", coded: "{op} in {block}: {category} ({code})" },
    source: "branch-and-switch: Handler B",
  }),
  distance: line("      a branch: distance := address of the target - end of the branch, 16 bytes an instruction", {
    kind: "cost",
    step: "from the end of the branch of {block} to {target:block}: {distance} {distance:byte|bytes}",
  }),
  threshold: line("        forward: near if distance <= knob 615; backward: near if -distance <= knob 614", {
    found: "{distance} {distance:byte|bytes} {direction} is within {limit}: the branch of {block} is near",
    missed: {
      "too-far": { say: "{distance} {distance:byte|bytes} {direction} is more than {limit}: the branch of {block} is not near" },
      tagged: { say: "the branch of {block} is tagged already" },
    },
  }),
  tag: line("        tag a near branch with .NEAR: it takes 8 bytes"),
  shorter: line("    lay the text out again; ask the other branches again while any was tagged", {
    kind: "cost",
    step: "{near} near {near:branch takes|branches take} 8 bytes: the text had {before} bytes and has {bytes}",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
