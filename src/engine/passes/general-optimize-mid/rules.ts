/** GeneralOptimizeMid as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules, sameLine } from "../../remark/rules.ts";
import {
  ANCHOR,
  BLOCK,
  CHAIN,
  DEAD,
  FOLD,
  GUARD,
  KNOBS,
  LIVENESS,
  PHI,
  PREDICATED,
  SELECT,
  SETUP,
  SIMPLIFY,
  TWO_PASS,
  UNFIT,
  UNSEEN,
  USE,
} from "../shared/copies/rules.ts";

const BYTES = "the {size} {size:byte|bytes} at local offset {offset} {size:stays|stay} in memory";
const STAYS = `${BYTES}: {why}` as const;

export const RULES = rules({
  gates: line(
    "gates: --no-phase names no ConvertMemoryToRegisterOrUniform; the pre-check (sub_8F3EA0) finds something to fold or promote",
    {
      gates: {
        "no-phase": {
          open: "ConvertMemoryToRegisterOrUniform is not switched off by --no-phase",
          shut: "--no-phase names ConvertMemoryToRegisterOrUniform, which switches the whole phase off",
        },
        sub_8F3EA0: {
          open: "there is something to fold or promote",
          shut: "no copy, constant, select, compare or local access is in the function",
        },
      },
    },
  ),
  promotion: line("ConvertMemoryToRegisterOrUniform:", {
    kind: "span",
    step: "ConvertMemoryToRegisterOrUniform: {slots} {slots:slot|slots}, {computed} computed {computed:access|accesses}",
  }),
  escape: line("  collect local loads and stores; a generic access, call or opaque access may reach local memory too: promote nothing", {
    missed: {
      "address-taken": {
        say: `${BYTES}: '{by:inst}' may reach them`,
        droppable: "the other access sees memory, and the register has a different value",
      },
      "shared-with": {
        say: `${BYTES}: this function is called, and {other} may use them before or after it`,
        fixed: "Local memory belongs to the thread, so a register of one function cannot take its place.",
      },
    },
  }),
  slot: line("  for each slot (constant offset and size) with a scalar of 32 or 64 bits, not volatile, overlapping no other:", {
    stays: STAYS,
    missed: {
      size: { say: "only 32 and 64 bits have a register" },
      volatile: { say: "an access is volatile", droppable: "each access has to reach memory, and none does" },
      vector: { say: "it is read or written as part of a vector" },
      "partial-overlap": {
        say: "accesses of other sizes or offsets share bytes with it",
        droppable: "what another access writes into its bytes is not seen in the register",
      },
      "entry-in-loop": {
        say: "the entry block is in a loop, so there is no place to start the register from",
        droppable: "the register starts as 0 again on every path back to the entry",
      },
      "computed-form": { say: "a computed access has another size or an address that cannot be compared" },
      "too-many-compares": { say: "the computed accesses would take too many compares" },
    },
  }),
  share: line("    share of its accesses that are direct: at least knob 136; computed addresses only in arrays of at most knob 135 bytes", {
    stays: STAYS,
    missed: {
      "computed-address": { say: "a computed address may reach it, and knob 135 is not set" },
      "indexed-size": { say: "a computed address may reach it, and the array is larger than knob 135 allows" },
      "direct-share": { say: "too few of its accesses are direct (knob 136)" },
    },
  }),
  promote: line("    a fresh register r; STL becomes MOV r, value; LDL becomes MOV dest, r; guards stay", {
    done: "slot {offset} lives in {reg:reg}: '{inst}' becomes '{made:inst}'",
    step: { access: { kind: "rewrite", say: "slot {offset} lives in {reg:reg}: '{inst}' becomes '{made:inst}'" } },
    because: "every access to local memory at {offset} is known, so the register {reg} can take its place",
  }),
  initial: line("    a load that no store reaches first: r = 0 at the entry", {
    kind: "rewrite",
    step: "slot {offset} may be read before it is written: {reg:reg} starts as 0",
  }),
  computed: line("    a computed access keeps its memory and compares its address with each slot: SEL of r and what memory holds", {
    kind: "rewrite",
    step: "'{inst}' may address any of {slots} {slots:slot|slots}: its address is compared with each",
  }),
  context: line("the context (0x408 bytes): fill its three bit vectors with metadata and capacity (sub_905B50)", {
    step: "three bit vectors are filled: {reach} {reach:definition reaches|definitions reach} a block's head, {live} {live:register lives|registers live} at one, {operands} {operands:operand has|operands have} a known source",
    source: "general-optimize: sub_905B50, Bitvector Infrastructure",
  }),
  setup: line("set-up: bit vectors of blocks to look at, copies, and blocks where something dies; knobs of copy propagation", SETUP),
  knobs: sameLine(KNOBS),
  threshold: line("threshold = knob 474, or knob 135 where it is set; total, weighted, count = 0", {
    kind: "cost",
    step: "the loop stops when a round costs less than {threshold} ({from})",
  }),
  round: line("repeat, while the weighted cost of the last round is not below the threshold:", { kind: "round", step: "round {round}" }),
  block: line("  for each block of the bit vector in RPO: copy_seen = on, def_ctx = the block; for each instruction:", BLOCK),
  use: line("    each register it reads: the copy that it sees, in whatever block, is read instead", USE),
  unseen: line("      keep the register if source or destination may be written between, or the operand cannot take the source", UNSEEN),
  unfit: sameLine(UNFIT),
  anchor: line("    anchor (97), a copy without guard: def_ctx = it", ANCHOR),
  predicated: line("    predicated copy (18): eligible: mark 0x400 where the target can", PREDICATED),
  liveness: sameLine(LIVENESS),
  select: line("    conditional select (124): eligible: mark 0x100; in tiers 1 to 7 after the two-pass simplifier", SELECT),
  twoPass: sameLine(TWO_PASS),
  chain: sameLine(CHAIN),
  fold: line("    level 2: all inputs constant: evaluate; a marked select, a predicate with constants: simplify", FOLD),
  simplify: sameLine(SIMPLIFY),
  guard: line("    a guard that is known: drop it, or the instruction; a branch: decide it", GUARD),
  cost: line("    cost of a fold: 0 for a dead result; knob 474 for a cost-exempt opcode with at most 4 uses; else 1", {
    kind: "cost",
    step: {
      dead: "'{inst}' costs {cost}: its result is dead",
      full: "'{inst}' costs {cost}: its opcode pays in full",
      uses: "'{inst}' costs {cost}: {uses} {uses:use pays|uses pay} in full",
      exempt: "'{inst}' costs {cost}: its opcode is exempt",
    },
  }),
  phi: line("  a PHI with one value becomes a copy", PHI),
  dead: line("  check_liveness on what lost a reader: remove what is dead", DEAD),
  converge: line("  weighted += cost; total += 1 each; count += instructions looked at", {
    kind: "cost",
    step: {
      on: "round {round} cost {delta} (threshold {threshold}), {weighted} in all: go on",
      left: "round {round} cost {delta} (threshold {threshold}), {weighted} in all: stop with work left",
      stop: "round {round} cost {delta} (threshold {threshold}), {weighted} in all: stop",
    },
  }),
  destroy: line("destroy the three bit vectors (at +0x200, +0x228 and +0x1E0)", {
    kind: "note",
    step: "the three bit vectors are destroyed",
    source: "general-optimize: Phase 37",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
