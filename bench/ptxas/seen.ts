/** What the machine code of a kernel shows, by the names of `facts/`: counts of the instructions that tell what was decided. */

import { type CubinKernel, OP, type Word } from "./cubin.ts";

export interface Seen {
  readonly instructions: number;
  readonly cond_branches: number;
  readonly cond_exits: number;
  readonly jumps: number;
  /** Compares for equality, and ordered ones. */
  readonly eq: number;
  readonly ordered: number;
  /** Entries of each jump table, in the order of the tables. */
  readonly tables: readonly number[];
  readonly brx: number;
  readonly isetp_with_pred_input: number;
  readonly plop3: number;
  readonly lop3_to_pred: number;
  readonly bra_two_preds: number;
  /** Guarded instructions that are no jumps. */
  readonly predicated: number;
  readonly stores: number;
  readonly bssy: number;
  readonly bsync: number;
  readonly break_: number;
  readonly warpsync: number;
  /** Copies of each opcode that kernels are marked with. */
  readonly marked: Readonly<Record<string, number>>;
}

export const MARKERS = ["POPC", "MUFU", "LDG", "LDS", "FFMA"] as const;

const TRUE = 7;
const EQUAL: ReadonlySet<number> = new Set([2, 5]);
/** The ordered compare that keeps the first block of a switch apart is no part of the switch. */
const APART = 12_345;
/** BRX, and BRXU where the index is uniform. */
const INDIRECT: ReadonlySet<number> = new Set([0x149, 0x158]);
/** LDC and ULDC: loads of a constant bank. */
const BANK_LOADS: ReadonlySet<number> = new Set([OP.LDC, 0x0bb]);
/** The clamp of an index, by opcode and form with an immediate: IMNMX, USEL after a compare, from sm_90 on VIMNMX and VIADDMNMX. */
const CLAMPS: ReadonlySet<number> = new Set([0x817, 0x887, 0x848, 0x446]);
const CONTROL: ReadonlySet<number> = new Set([OP.BRA, OP.EXIT, OP.BREAK, OP.BSYNC, OP.BSSY]);

/** Predicate inputs of a compare and of a branch stand at bit 87. */
const predicateInput = (word: Word): number => word.bits(87, 3);

export function seenIn({ words, tableWords }: CubinKernel): Seen {
  const count = (test: (word: Word) => boolean): number => words.filter(test).length;
  const of = (...ops: readonly number[]): number => count((w) => ops.includes(w.op));
  const branches = words.filter((w) => w.op === OP.BRA);
  const compares = words.filter((w) => w.op === OP.ISETP);
  return {
    instructions: words.length,
    cond_branches: branches.filter((w) => w.guard !== TRUE || predicateInput(w) !== TRUE).length,
    cond_exits: count((w) => w.op === OP.EXIT && w.guard !== TRUE),
    jumps: branches.filter((w) => w.guard === TRUE && predicateInput(w) === TRUE).length,
    eq: compares.filter((w) => EQUAL.has(w.bits(76, 3))).length,
    ordered: compares.filter((w) => !EQUAL.has(w.bits(76, 3)) && w.bits(32, 32) !== APART).length,
    tables: tableSizes(words, tableWords.length),
    brx: count((w) => INDIRECT.has(w.op)),
    isetp_with_pred_input: count((w) => (w.op === OP.ISETP || w.op === OP.FSETP) && predicateInput(w) !== TRUE),
    plop3: of(OP.PLOP3),
    lop3_to_pred: count((w) => w.op === OP.LOP3 && w.bits(81, 3) !== TRUE),
    bra_two_preds: branches.filter((w) => w.guard !== TRUE && predicateInput(w) !== TRUE).length,
    predicated: count((w) => w.guard !== TRUE && !CONTROL.has(w.op)),
    stores: of(OP.STG),
    bssy: of(OP.BSSY),
    bsync: of(OP.BSYNC),
    break_: of(OP.BREAK),
    warpsync: of(OP.WARPSYNC),
    marked: Object.fromEntries(MARKERS.map((name) => [name, of(OP[name])])),
  };
}

/**
 * Tables lie one after another in constant bank 2; where one is read from is in the load's operand, and where it ends in the clamp of its index, if there is one: the
 * words of a table whose jump went away stay.
 */
function tableSizes(words: readonly Word[], all: number): number[] {
  const sizes = new Map<number, number>();
  const loads = words.flatMap((w, i) => (BANK_LOADS.has(w.op) && w.bits(54, 5) === 2 ? [{ start: w.bits(38, 16) / 4, at: i }] : []));
  const starts = [...new Set(loads.map(({ start }) => start))].sort((a, b) => a - b);
  for (const { start, at } of loads) {
    const room = (starts[starts.indexOf(start) + 1] ?? all) - start;
    const before = words.slice(Math.max(0, at - 12), at).findLast((w) => w.op === OP.BRA || w.op === OP.BRX || CLAMPS.has(w.code));
    const clamp = before !== undefined && CLAMPS.has(before.code) ? before.bits(32, 32) + 1 : room;
    sizes.set(start, Math.min(room, clamp));
  }
  return starts.map((start) => sizes.get(start) ?? 0);
}
