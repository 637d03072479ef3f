/** The pieces of an instruction's text, for views. */

/** A piece of an instruction's text; `operand` is the index into the operands (-1 guard, null punctuation or mnemonic). */
export interface Token {
  readonly text: string;
  readonly kind: "mnemonic" | "reg" | "pred" | "number" | "label" | "memory" | "special" | "table" | "text" | "punct" | "guard";
  readonly operand: number | null;
  /** Register names in the token, for linking. */
  readonly regs: readonly string[];
  readonly def: boolean;
}
