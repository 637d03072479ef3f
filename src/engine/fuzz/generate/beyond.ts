/** Calls, constant banks, generic addresses, barrier objects: only the profile 'wide' writes them, so that programs of the others do not change. */

import type { Emitter } from "./emitter.ts";
import { type Frame, OWN_BYTES, OWN_SHARED } from "./frame.ts";

/** What programs call: arithmetic, a branch with two results, a change of memory. */
export const CALLED = `.func mix(a: R0, b: R1) -> R2
BB0:
    IMAD R2, R0, 3, R1
    LOP.XOR R2, R2, R0
    RET
.func least(a: R0, b: R1) -> R2, P0
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA LESS
MORE:
    MOV R2, R1
    RET
LESS:
    MOV R2, R0
    RET
.func bump(at: RD0, by: R2) -> R3
BB0:
    LDG R3, [RD0]
    IADD R3, R3, R2
    STG [RD0], R3
    RET
`;

/** A barrier object for each thread, after the threads' other data in shared memory; generic addresses of local memory begin with the window. */
const OBJECTS = 0x4000;
const LOCAL_WINDOW = 0x0100_0000;
const BANK_WORDS = 64;

export interface BeyondKit {
  readonly e: Emitter;
  readonly frame: Frame;
  readonly guard: () => string | null;
}

/** `memory`: the program may read and write its memory. */
export function writeBeyond(kit: BeyondKit, memory: boolean): void {
  const { e } = kit;
  const kinds = [mix, least, constant, indexed, ...(memory ? [bump, generic, generic, object] : [])];
  e.rng.pick(kinds)(kit);
}

/** Under a guard only registers that have a value are written. */
function into(e: Emitter, guard: string | null, text: (target: string) => string): void {
  if (guard === null) e.set("int", text);
  else e.emit(text(e.rng.pick(e.pool.int)), guard);
}

const mix = ({ e, guard }: BeyondKit): void => into(e, guard(), (d) => `CALL mix, {${d}}, {${e.read("int")}, ${e.read("int")}}`);

function least({ e }: BeyondKit): void {
  const [d, p] = [e.target("int"), e.target("pred")];
  e.emit(`CALL least, {${d}, ${p}}, {${e.read("int")}, ${e.read("int")}}`);
  e.defined("int", d);
  e.defined("pred", p);
}

/** The address of a word that only this thread uses, in global memory. */
function ownWord({ e, frame }: BeyondKit): string {
  const address = e.fresh("long");
  e.emit(`IADD.64 ${address}, ${frame.own}, ${4 * e.rng.below(OWN_BYTES / 4 - 1)}`);
  return address;
}

function bump(kit: BeyondKit): void {
  const address = ownWord(kit);
  into(kit.e, kit.guard(), (d) => `CALL bump, {${d}}, {${address}, ${kit.e.read("int")}}`);
  // Loads what the call left there, which also shows the input generator that the address is one.
  into(kit.e, null, (d) => `LDG ${d}, [${address}]`);
}

const constant = ({ e, guard }: BeyondKit): void => into(e, guard(), (d) => `LDC ${d}, c[0x0][${4 * e.rng.below(BANK_WORDS)}]`);

function indexed({ e, guard }: BeyondKit): void {
  const index = e.fresh("int");
  e.emit(`LOP.AND ${index}, ${e.read("int")}, ${4 * (BANK_WORDS - 1)}`);
  into(e, guard(), (d) => `LDC${e.rng.pick(["", "", ".U8"])} ${d}, c[0x3][${index}+${4 * e.rng.below(4)}]`);
}

/** A word that only this thread uses in global, shared or local memory, written and read by its generic address or by its own. */
function generic(kit: BeyondKit): void {
  const { e, frame } = kit;
  const { rng } = e;
  const shared = `${frame.shared}+${4 * rng.below(OWN_SHARED / 4)}`;
  const local = 4 * rng.below(4);
  const [space, place, other] = rng.pick([
    ["G", ownWord(kit), null],
    ["S", shared, null],
    ["L", String(LOCAL_WINDOW + local), String(local)],
  ] as const);
  const named = `[${other ?? place}]`;
  if (rng.chance(0.7)) e.emit(rng.chance(0.7) ? `ST [${place}], ${e.read("int")}` : `ST${space} ${named}, ${e.read("int")}`, kit.guard());
  into(e, kit.guard(), (d) => (rng.chance(0.7) ? `LD ${d}, [${place}]` : `LD${space} ${d}, ${named}`));
}

/** A barrier object per thread with as many arrivals as it expects, or fewer, and the result of its phase. */
function object({ e, frame }: BeyondKit): void {
  const { rng } = e;
  const [place, p] = [e.fresh("int"), e.fresh("pred")];
  const at = `[${place}+${OBJECTS}]`;
  const count = 1 + rng.below(3);
  e.emit(`SHR.U32 ${place}, ${frame.shared}, 1`);
  e.emit(`SYNCS.INIT RZ, ${at}, ${count}`);
  const state = e.fresh("long");
  e.emit(`SYNCS.ARRIVE ${state}, ${at}`);
  if (count > 1 && rng.chance(0.6)) e.emit(`SYNCS.${rng.pick(["ARRIVE", "DROP"])} RZ, ${at}, ${rng.below(count)}`);
  e.emit(rng.chance(0.5) ? `PHASECHK.64 ${p}, ${at}, ${state}` : `PHASECHK ${p}, ${at}, ${rng.below(2)}`);
  e.defined("pred", p);
}
