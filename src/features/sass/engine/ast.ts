/** The content of a listing, line by line, before anything is interpreted. */

import type { Reg } from "../../../engine/ir/ids.ts";
import type { Guard } from "../../../engine/ir/types.ts";

/** A register as written: `-|R4.64|`. `suffix`: the words after it, without `reuse`. */
export interface RegOperand {
  readonly kind: "reg";
  readonly reg: Reg;
  readonly neg: boolean;
  readonly abs: boolean;
  /** `~x`. */
  readonly not: boolean;
  /** `!P0`. */
  readonly inv: boolean;
  readonly suffix: readonly string[];
}

/** One register of an address: `R2.64`, `R4.X4`, `UR4`. */
export interface AddressPart {
  readonly reg: Reg;
  readonly suffix: readonly string[];
}

export type SassOperand =
  | RegOperand
  /** A number: `-0x2`, `8`, `1.5`, `+INF`. `hex`: its digits are bits, whatever the type. */
  | { readonly kind: "num"; readonly value: number; readonly hex: boolean; readonly integer: boolean }
  /** `c[0x0][R4+0x160]`; `bank` null: `cx[UR4][…]` or `c[UR4][…]`, the bank's registers in `bankRegs`. */
  | {
      readonly kind: "cbank";
      readonly bank: number | null;
      readonly bankRegs: readonly AddressPart[];
      readonly parts: readonly AddressPart[];
      readonly offset: number;
      readonly neg: boolean;
      readonly abs: boolean;
      readonly not: boolean;
      /** `H1` of `c[0x0][0x8].H1`: a half of the word. */
      readonly suffix: readonly string[];
    }
  /** `[R2.64+UR4+0x8]`, `desc[UR4][R2.64]`; `desc`: the registers in the brackets before the address. `gdesc`: a matrix descriptor. */
  | {
      readonly kind: "mem";
      readonly parts: readonly AddressPart[];
      readonly offset: number;
      readonly desc: readonly AddressPart[];
      readonly gdesc: boolean;
    }
  /** `` `(.L_x_1) ``: a label or a function. */
  | { readonly kind: "target"; readonly name: string }
  /** `SR_TID.X`, `2D`, `PR`, `SB0`. */
  | { readonly kind: "word"; readonly text: string };

export interface SassInst {
  /** 1-based line of the listing. */
  readonly line: number;
  readonly column: number;
  /** Byte address within the section: as printed, else counted. */
  readonly address: number;
  /** `@P0`, `@!PT`; null for none and for `@PT`. */
  readonly guard: Guard | null;
  readonly root: string;
  readonly mods: readonly string[];
  readonly operands: readonly SassOperand[];
  /** Targets that a BRANCH_TARGETS attribute names; null when there is none. */
  readonly targets: readonly string[] | null;
  /** Opcode and operands on one line, without guard, scheduling fields and `;`. */
  readonly text: string;
}

/** One function of a listing, or the rest of one after local functions were split off. */
export interface SassFunction {
  readonly name: string;
  /** Null: not given in the listing. */
  readonly isEntry: boolean | null;
  readonly line: number;
  readonly insts: readonly SassInst[];
  /** By name: index of the instruction after the label (`insts.length`: at the end). */
  readonly labels: ReadonlyMap<string, number>;
  /** True for a function that shares its section with the one before it. */
  readonly isLocal: boolean;
  /** Number of the section it is in: addresses count from there. */
  readonly section: number;
  readonly target: string | null;
}

/** The section of one `.text` as read: a function and the local ones after it. */
export interface Section {
  name: string;
  isEntry: boolean | null;
  line: number;
  readonly insts: SassInst[];
  readonly labels: Map<string, number>;
  /** Labels that begin a function within the section, in order. */
  readonly functions: { readonly name: string; readonly at: number; readonly line: number }[];
  /** `sm_90` of the listing part that contains the section, null if it is not given. */
  target: string | null;
}
