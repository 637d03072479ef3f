/** Phase 58, GeneralOptimizeLate: one walk over each block with a six-slot ring of copy pairs. */

import { type Liveness, liveness, scanLive } from "../../analysis/liveness.ts";
import type { BlockId, InstId } from "../../ir/ids.ts";
import { isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import type { Rewrite } from "../../remark/remarks.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { type Copy, copyOf } from "./copy.ts";
import { Counters } from "./counters.ts";
import { dead, repeat, reuse, type State, second } from "./rewrites.ts";
import { Ring, sourceText } from "./ring.ts";
import type { CopyRingRow } from "./rows.ts";

/** Bits of byte +1396. */
const REGISTER_COPIES = 0x08;
const IMMEDIATE_COPIES = 0x04;
const LEVEL_BITS = 0x30;
const REDUCED_LEVEL = 0x20;

const STAYS = "'{inst}' in {block} stays: {why}";

const RULES = rules({
  flags: line("flags: bits 4 and 5 must not be 10, a reduced level; bit 2 enables immediate copies, bit 3 register copies // +1396", {
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
  restricted: line("knob 605: the ring stores no new copies", {
    gates: { "605": { open: "knob 605 is off: the ring stores new copies", shut: "knob 605 is on: the ring stores no new copies" } },
  }),
  counters: line("seven counters and changed flags := 0", { kind: "note", step: "seven counters are cleared" }),
  blocks: line("for each block, once, in layout order:", { step: "walk {block}" }),
  ring: line("  the ring of six slots is empty; liveness gives the copies that nothing reads", {
    kind: "note",
    step: "the ring is empty; {count} {count:copy is|copies are} dead",
  }),
  instruction: line("  for each instruction I:", { step: "'{inst}' copies {source}" }),
  dead,
  notCopy: line("    I is not an unguarded copy of a register or an immediate: continue below", {
    stays: STAYS,
    missed: { "plain-copy": { counts: false, say: "it has a guard, or does not copy a whole register or an integer" } },
  }),
  registers: line("    its registers are not uniform, and copies of its kind are enabled", {
    stays: STAYS,
    missed: {
      flags: { say: "copies of its kind are not examined" },
      "register-class": { say: "uniform registers are not examined" },
    },
  }),
  match: line("    a slot holds a pair with the same source:", { found: "slot {slot} has a copy of {source} in {dest:reg}" }),
  repeat,
  reuse,
  second,
  insert: line("    no slot does: unless knob 605 is on, the next slot stores I and evicts its pair", {
    kind: "note",
    step: {
      free: "'{inst}' is stored in slot {slot}",
      evicts: "'{inst}' is stored in slot {slot}, which evicts the copy into {evicted:reg}",
    },
    stays: STAYS,
    missed: { "nothing-new": { code: "605", say: "knob 605 stores no new copies" } },
  }),
  invalidate: line("    I writes a register that a slot's destination or source names: the slot is emptied", {
    kind: "note",
    step: "'{inst}' writes {reg}: {slots:slot|slots} {slots} {slots:is|are} emptied",
  }),
});

export const generalOptimizeLate: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  settles: true,
  run,
};

function run({ edit, remark, knobs }: PassContext): PassOutcome {
  const ringView = remark.shown.ring<CopyRingRow>("copy-ring", "Six-slot ring of copy pairs");
  const counters = new Counters(remark);
  const flags = knobs.int("late-flags", RULES.flags);
  const hex = `0x${flags.toString(16).toUpperCase().padStart(2, "0")}`;
  const none =
    remark.closed(RULES.flags, "level", (flags & LEVEL_BITS) !== REDUCED_LEVEL, { flags: hex }) ??
    remark.closed(RULES.flags, "flags", (flags & (REGISTER_COPIES | IMMEDIATE_COPIES)) !== 0, { flags: hex });
  if (none !== null) return remark.outcome({ none });
  const restricted = !remark.gate(RULES.restricted, "605", !knobs.flag("late-ring-keep", RULES.restricted));
  counters.clear();
  remark.step(RULES.counters, { node: counters.node("register") });
  const state: State = { edit, remark, flags, restricted, counters };
  const live = liveness(edit.func);
  let evictions = 0;
  for (const block of edit.func.layout) {
    const unread = unreadCopies(state, live, block);
    remark.open(RULES.blocks, { block });
    remark.step(RULES.ring, { count: unread.size, insts: () => [...unread.keys()] });
    const ring = new Ring(ringView);
    for (const inst of edit.block(block).insts.slice()) {
      const copy = copyOf(block, inst);
      if (copy !== null) {
        examine(state, ring, copy, unread.get(inst.id) ?? null);
        continue;
      }
      if (inst.op === "MOV" || inst.op === "PMOV") remark.missed(RULES.notCopy, "plain-copy", { inst, block });
      invalidate(state, ring, block, inst);
    }
    evictions += ring.evictions;
    remark.close();
  }
  const copies = remark.candidates(RULES.instruction);
  const refused = remark.reasons("always");
  return remark.outcome({
    matches: copies,
    why: copies === 0 ? "the function has no copy" : `${NO_REPEAT}${refused === "" ? "" : `; refused: ${refused}`}`,
    further: further(state),
    figures: { ...counters.figures, evictions },
  });
}

const NO_REPEAT = "no copy repeats one of the last six of its block";

/** Copies whose result nothing reads. One that may not be removed keeps the copies it reads, so all are requested before any is removed. */
function unreadCopies(state: State, live: Liveness, block: BlockId): ReadonlyMap<InstId, Rewrite> {
  const unread = new Map<InstId, Rewrite>();
  scanLive(state.edit.func, live, block, (inst, _at, isLive) => {
    if (copyOf(block, inst) === null || defsOf(inst).some(isLive)) return false;
    const removal = dead.look(state, { inst, block })?.request() ?? null;
    if (removal !== null) unread.set(inst.id, removal);
    return removal !== null;
  });
  return unread;
}

/** One copy, in the order of the lines. */
function examine(state: State, ring: Ring, copy: Copy, removal: Rewrite | null): void {
  const { remark } = state;
  const { inst, block, dest, source } = copy;
  remark.candidate(RULES.instruction, { inst, source: () => sourceText(source), block });
  if (removal !== null) {
    removal.commit();
    return;
  }
  const itself = repeat.look(state, { copy });
  itself?.request()?.commit();
  if (itself !== null) return;
  const slot = isEligible(state, copy) ? ring.find(source, dest) : null;
  const pair = slot === null ? null : ring.slot(slot);
  if (slot !== null && pair !== null) {
    const insts = [inst, pair.first];
    const also = { condition: "same-source" };
    remark.matched(RULES.match, { slot, source: () => sourceText(source), dest: pair.dest, block, insts, node: ring.node(slot), also });
    const again = repeat.look(state, { copy, ring, slot, pair });
    again?.request()?.commit();
    if (again !== null) return;
    reuse.look(state, { copy, ring, slot, pair })?.request()?.commit();
  }
  invalidate(state, ring, block, inst);
  if (slot === null || pair !== null) return;
  if (state.restricted) remark.missed(RULES.insert, "nothing-new", { inst, block });
  else {
    const { index, evicted } = ring.insert(dest, source, inst.id);
    const said = { inst, slot: index, evicted: evicted?.dest ?? null, block, node: ring.node(index) };
    remark.step(RULES.insert, evicted === null ? "free" : "evicts", said);
  }
}

function isEligible({ remark, flags }: State, { block, inst, dest, source }: Copy): boolean {
  const variant = source.kind === "reg" ? REGISTER_COPIES : IMMEDIATE_COPIES;
  const uniform = isUniformReg(dest) || (source.kind === "reg" && isUniformReg(source.reg));
  if ((flags & variant) === 0) remark.missed(RULES.registers, "flags", { inst, block });
  else if (uniform) remark.missed(RULES.registers, "register-class", { inst, block });
  else return true;
  return false;
}

function invalidate({ remark }: State, ring: Ring, block: BlockId, inst: Inst): void {
  for (const reg of defsOf(inst)) {
    const slots = ring.invalidate(reg);
    if (slots.length > 0) remark.step(RULES.invalidate, { inst, reg, slots, block, nodes: () => slots.map((i) => ring.node(i)) });
  }
}

/** It is one walk: what it did opens slots of the ring and takes readers away from copies that it has passed already. */
function further({ edit, remark }: State): string | null {
  if (remark.rewrites === 0) return null;
  const left = edit.func.layout.some((id) => edit.block(id).insts.some((inst) => copyOf(id, inst) !== null));
  return !left ? null : "it walks once, and its rewrites change the ring's contents and the readers of the copies that are left";
}
