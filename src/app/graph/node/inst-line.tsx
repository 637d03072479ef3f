/** One instruction on a card: its tokens, with the marks of the step, the selection and the overlay. */

import { memo, type ReactNode } from "react";
import type { InstView, Token } from "../../../engine/api/types.ts";
import { cx } from "../../ui/cx.ts";
import { valueHue } from "../../ui/value-hue.ts";
import type { InstMark } from "../face/faces.ts";
import styles from "./card.module.css";

export interface InstLineProps {
  readonly inst: InstView;
  readonly mark: InstMark | null;
  readonly selected: boolean;
  readonly hovered: boolean;
  readonly reg: string | null;
  readonly hoveredReg: string | null;
  /** Value number, where that overlay is on. */
  readonly value: number | null;
}

export const InstLine = memo(function InstLine({ inst, mark, selected, hovered, reg, hoveredReg, value }: InstLineProps) {
  return (
    <div
      className={cx(
        styles.inst,
        mark?.focus === true && styles.instFocus,
        mark?.changed === true && styles.instChanged,
        selected && styles.instSelected,
        hovered && styles.instHovered,
      )}
      data-inst={inst.id}
      data-pointed={hovered || undefined}
      title={inst.text.length > 50 ? inst.text : undefined}
    >
      {value === null ? null : (
        <span className={styles.value} style={{ background: valueHue(value) }} title={`value number ${value}`}>
          {value}
        </span>
      )}
      {inst.tokens.map((token, i) => tokenPart(token, i, mark, reg, hoveredReg))}
    </div>
  );
});

function tokenPart(token: Token, index: number, mark: InstMark | null, reg: string | null, hoveredReg: string | null): ReactNode {
  if (token.kind === "punct" || (token.kind === "text" && token.operand === null)) return token.text;
  const marked = token.operand !== null && (mark?.operands.includes(token.operand) ?? false);
  return (
    <span
      key={index}
      className={cx(
        `tok-${token.kind}`,
        token.def && styles.def,
        marked && styles.operandMark,
        reg !== null && token.regs.includes(reg) && styles.regSelected,
        hoveredReg !== null && token.regs.includes(hoveredReg) && styles.regHovered,
      )}
      data-reg={token.regs[0]}
      data-label={token.kind === "label" ? token.text : undefined}
    >
      {token.text}
    </span>
  );
}
