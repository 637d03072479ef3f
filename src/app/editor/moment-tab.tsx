/** The program at this step, read only: what just changed is marked, and a press selects. */

import { memo, useMemo } from "react";
import type { InstView, Subject, Token } from "../../engine/api/types.ts";
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
import { type MomentLine, momentLines } from "./moment-lines.ts";

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

  const changedInsts = new Set(moment.changed.insts);
  const focusInsts = new Set((moment.event?.focus.insts ?? []).map(Number));
  const focusBlocks = new Set((moment.event?.focus.blocks ?? []).map(Number));
  const isSelected = (line: MomentLine): boolean => {
    switch (selected?.kind) {
      case "inst":
        return line.kind === "inst" && line.inst.id === selected.id;
      case "block":
        return line.kind !== "table" && line.block.id === selected.id;
      case "edge":
        return line.kind === "block" && (line.block.id === selected.from || line.block.id === selected.to);
      default:
        return false;
    }
  };
  const register = selected?.kind === "reg" ? selected.name : hovered?.kind === "reg" ? hovered.name : null;
  const isPointed = (line: MomentLine): boolean => {
    if (line.kind === "table") return false;
    if (line.kind === "block") return line.block.line === pointed || (hovered?.kind === "block" && hovered.id === line.block.id);
    return line.inst.line === pointed || (hovered?.kind === "inst" && hovered.id === line.inst.id);
  };
  const first = lines.findIndex(isSelected);
  const focusAt = lines.findIndex(
    (l) => (l.kind === "inst" && focusInsts.has(l.inst.id)) || (focusInsts.size === 0 && l.kind === "block" && focusBlocks.has(l.block.id)),
  );
  const subjectAt = (index: number): Subject | null => {
    const line = lines[index];
    if (line === undefined || line.kind === "table") return null;
    return line.kind === "inst" ? { kind: "inst", id: line.inst.id } : { kind: "block", id: line.block.id };
  };
  return (
    <Stack fill onPointerLeave={() => selection.hover(null)}>
      <Row align="stretch" grow data-step-menu="step">
        <VirtualList
          label={`Program at this step, ${plural(lines.length, "line")}`}
          count={lines.length}
          rowHeight={18}
          active={focusAt >= 0 ? focusAt : first}
          onActivate={(index) => selection.select(subjectAt(index))}
          onKey={(event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return false;
            const at = first >= 0 ? first : Math.max(0, focusAt);
            const to = Math.max(0, Math.min(lines.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
            selection.select(subjectAt(to));
            return true;
          }}
          row={(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            const changed =
              (line.kind === "inst" && changedInsts.has(line.inst.id)) ||
              (line.kind === "block" && changedInsts.size === 0 && moment.changed.blocks.includes(line.block.id));
            const step =
              (line.kind === "inst" && focusInsts.has(line.inst.id)) || (line.kind === "block" && focusBlocks.has(line.block.id));
            return (
              <Row
                className={cx(
                  styles.line,
                  "mono",
                  isPointed(line) && "is-pointed",
                  step && "is-current",
                  changed && cx("is-changed", styles.changedLine),
                  isSelected(line) && "is-selected",
                )}
                data-changed={changed || undefined}
                data-pointed={isPointed(line) || undefined}
                onPointerEnter={() => selection.hover(subjectAt(index), line.kind === "inst" && line.inst.line > 0 ? line.inst.line : null)}
              >
                <span className={cx(styles.gutter, "line-number")}>{index + 1}</span>
                <LineText line={line} register={register} onSelect={selection.select} />
                {line.kind === "inst" ? <ValueMark number={numbers?.get(line.inst.id)} /> : null}
              </Row>
            );
          }}
        />
      </Row>
      <SourceStrip />
    </Stack>
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

/** An instruction in colours; registers can be pressed. */
export function Tokens({
  tokens,
  text,
  register,
  onSelect,
}: {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly register: string | null;
  readonly onSelect: (subject: Subject) => void;
}) {
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
