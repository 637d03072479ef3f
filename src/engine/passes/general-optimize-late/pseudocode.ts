/** The phase's algorithm as numbered lines; `LINE` names the ones that events refer to. */

export const PSEUDOCODE = [
  "bits 2 and 3 of +1396: register copies, immediate copies",
  "knob 605: let nothing new into the ring",
  "seven counters and changed flags := 0",
  "for each block, once, in layout order:",
  "  the ring of six slots is empty; liveness gives the copies that nothing reads",
  "  for each instruction I:",
  "    I is a dead copy: remove it; counter 3",
  "    I is no unguarded copy of a register or an immediate: go on below",
  "    its registers are neither uniform nor parts of anything else, and its variant is enabled",
  "    a slot holds a pair with the same source:",
  "      the slot's destination is I's destination: I repeats it and goes; counter 2, 4 for I = MOV R, R",
  "      else I takes the slot's destination as its source; counter 0 (register) or 1 (immediate), 5 predicate, 6 64 bit",
  "      the slot remembers I as its second instruction",
  "    no slot does: unless knob 605 says no, I goes into the next slot, evicting what is there",
  "    I writes a register that a slot's destination or source names: the slot is emptied",
] as const;

export const LINE = {
  flags: 1,
  restricted: 2,
  counters: 3,
  blocks: 4,
  ring: 5,
  instruction: 6,
  dead: 7,
  notCopy: 8,
  registers: 9,
  match: 10,
  repeat: 11,
  reuse: 12,
  second: 13,
  insert: 14,
  invalidate: 15,
} as const;
