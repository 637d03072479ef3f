/** A step as a row of a list: its number, its kind, its sentence, and the verdict; pressing it leads there. */

import type { ReactNode } from "react";
import type { EventKind } from "../../../engine/trace/kinds.ts";
import { cx } from "../../ui/cx.ts";
import { KindMark } from "./kind-mark.tsx";
import panel from "./panel.module.css";
import { Verdict } from "./verdict.tsx";

interface StepRowProps {
  /** null: it has none. Without it the row has no column of numbers. */
  readonly step?: number | null;
  readonly kind: EventKind | null;
  readonly current?: boolean;
  /** Has the verdict, if there is one. */
  readonly facts?: Parameters<typeof Verdict>[0]["facts"];
  readonly onGo: () => void;
  readonly children: ReactNode;
}

export function StepRow({ step, kind, current = false, facts, onGo, children }: StepRowProps) {
  return (
    <button
      type="button"
      className={cx(panel.row, "line-button line-below", current && "is-current")}
      aria-current={current ? "step" : undefined}
      onClick={onGo}
    >
      {step === undefined ? null : (
        <span className="line-number" style={{ width: 48 }}>
          {step === null ? "" : step + 1}
        </span>
      )}
      {kind === null ? null : <KindMark kind={kind} />}
      <span className={cx(panel.text, "grow breaks")}>{children}</span>
      {facts === undefined ? null : <Verdict facts={facts} short />}
    </button>
  );
}
