/** The program at this step, read only: what just changed is marked, and a press selects. */

import { memo, useMemo } from "react";
import type { InstView, Subject } from "../../engine/api/types.ts";
import { useActions, useSession } from "../session/hooks.ts";
import { selectHovered, selectHoveredLine, selectMoment, selectSelected } from "../session/selectors.ts";
import { formatOf, sourceIndex, sourceTitle } from "../session/source-lines.ts";
import type { SessionState } from "../session/state.ts";
import { structureNumbers, VALUE_STRUCTURE } from "../session/value-numbers.ts";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Row, Stack } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import { valueHue } from "../ui/value-hue.ts";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./editor.module.css";
import { isPointed, isSelected, type MomentLine, momentLines, stepLines, subjectOf } from "./moment-lines.ts";

export function MomentTab() {
  const moment = useSession(selectMoment);
  const selected = useSession(selectSelected);
  const hovered = useSession(selectHovered);
  const pointed = useSession(selectHoveredLine);
  const { selection } = useActions();
  const lines = useMemo(() => (moment === null ? [] : momentLines(moment)), [moment]);
  const values = moment?.structures.get(VALUE_STRUCTURE)?.cells;
  const numbers = useMemo(() => (values === undefined ? null : structureNumbers(values)), [values]);
  if (moment === null) return <EmptyState title="Nothing has run yet." />;

  const step = stepLines(moment);
  const register = selected?.kind === "reg" ? selected.name : hovered?.kind === "reg" ? hovered.name : null;
  const first = lines.findIndex((line) => isSelected(line, selected));
  const focusAt = lines.findIndex(step.leads);
  const selectAt = (index: number): void => {
    const line = lines[index];
    selection.select(line === undefined ? null : subjectOf(line));
  };
  return (
    <Stack fill onPointerLeave={() => selection.hover(null)}>
      <Row align="stretch" grow data-step-menu="step">
        <VirtualList
          label={`Program at this step, ${plural(lines.length, "line")}`}
          count={lines.length}
          rowHeight={18}
          active={focusAt >= 0 ? focusAt : first}
          onActivate={selectAt}
          onKey={(event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return false;
            const at = first >= 0 ? first : Math.max(0, focusAt);
            selectAt(Math.max(0, Math.min(lines.length - 1, at + (event.key === "ArrowDown" ? 1 : -1))));
            return true;
          }}
          row={(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            const marks = {
              isPointed: isPointed(line, hovered, pointed),
              isCurrent: step.isAbout(line),
              isChanged: step.isChanged(line),
              isSelected: isSelected(line, selected),
            };
            return <LineRow n={index + 1} line={line} marks={marks} register={register} numbers={numbers} />;
          }}
        />
      </Row>
      <SourceStrip />
    </Stack>
  );
}

interface LineRowProps {
  /** From 1. */
  readonly n: number;
  readonly line: MomentLine;
  readonly marks: Readonly<Record<"isPointed" | "isCurrent" | "isChanged" | "isSelected", boolean>>;
  /** The register to mark. */
  readonly register: string | null;
  readonly numbers: ReadonlyMap<number, number> | null;
}

function LineRow({ n, line, marks, register, numbers }: LineRowProps) {
  const { selection } = useActions();
  return (
    <Row
      className={cx(
        styles.line,
        "mono",
        marks.isPointed && "is-pointed",
        marks.isCurrent && "is-current",
        marks.isChanged && cx("is-changed", styles.changedLine),
        marks.isSelected && "is-selected",
      )}
      data-changed={marks.isChanged || undefined}
      data-pointed={marks.isPointed || undefined}
      onPointerEnter={() => selection.hover(subjectOf(line), line.kind === "inst" && line.inst.line > 0 ? line.inst.line : null)}
    >
      <span className={cx(styles.gutter, "line-number")}>{n}</span>
      <LineText line={line} register={register} onSelect={selection.select} />
      {line.kind === "inst" ? <ValueMark number={numbers?.get(line.inst.id)} /> : null}
    </Row>
  );
}

/** The line of PTX or SASS of the hovered, else of the selected instruction. Always there for an imported text, so that nothing moves. */
function SourceStrip() {
  const imported = useSession((s) => formatOf(s) !== "ori");
  const text = useSession((s) => {
    const inst = instOf(s);
    return inst === null ? null : sourceTitle(s, inst);
  });
  const line = useSession((s) => instOf(s)?.line ?? 0);
  const { view } = useActions();
  if (!imported) return null;
  return (
    <Row gap={2} pad={[0, 2]} rigid className={cx(styles.status, "line-above quiet")}>
      <button
        type="button"
        className={cx(styles.sourceLine, "ellipsis grow mono")}
        disabled={text === null}
        title={text ?? undefined}
        onClick={() => view.set({ editorTab: "source", reveal: { line, column: 1 } })}
      >
        {text ?? "This does not come from a line of the source."}
      </button>
    </Row>
  );
}

function instOf(state: SessionState): InstView | null {
  const { moment } = state.position;
  const { hovered, selected } = state.selection;
  if (moment === null) return null;
  for (const subject of [hovered, selected]) {
    const placed = subject?.kind === "inst" ? sourceIndex(moment).insts.get(subject.id) : undefined;
    if (placed !== undefined) return placed.inst;
  }
  return null;
}

/** The value number of a line, in the colour it has in the graph and the tables. */
function ValueMark({ number }: { readonly number: number | undefined }) {
  if (number === undefined) return null;
  return (
    <span className={styles.value} style={{ background: valueHue(number) }} title={`value number ${number}`}>
      #{number}
    </span>
  );
}

interface LineTextProps {
  readonly line: MomentLine;
  readonly register: string | null;
  readonly onSelect: (subject: Subject) => void;
}

const LineText = memo(function LineText({ line, register, onSelect }: LineTextProps) {
  switch (line.kind) {
    case "table":
      return <span className="tok-special">{line.text}</span>;
    case "block":
      return (
        <>
          <span className="tok-label strong">{line.block.label}:</span>
          {line.block.weight === null ? null : <span className={cx(styles.note, "muted")}>{`// weight ${line.block.weight}`}</span>}
        </>
      );
    case "inst":
      return (
        <span>
          {"    "}
          <Tokens tokens={line.inst.tokens} text={line.inst.text} register={register} onSelect={onSelect} />
        </span>
      );
  }
});

type TokensProps = Pick<InstView, "tokens" | "text"> & Omit<LineTextProps, "line">;

/** An instruction in colours; registers can be pressed. */
function Tokens({ tokens, text, register, onSelect }: TokensProps) {
  if (tokens.length === 0) return text;
  return tokens.map((token, i) => {
    const hit = register !== null && token.regs.includes(register);
    const only = token.regs.length === 1 ? token.regs[0] : undefined;
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the register is also reachable through the source and the palette
      // biome-ignore lint/a11y/useKeyWithClickEvents: as above
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name
        key={i}
        className={cx(`tok-${token.kind}`, only !== undefined && styles.press, hit && styles.hit)}
        onClick={
          only === undefined
            ? undefined
            : (event) => {
                event.stopPropagation();
                onSelect({ kind: "reg", name: only });
              }
        }
      >
        {token.text}
      </span>
    );
  });
}
