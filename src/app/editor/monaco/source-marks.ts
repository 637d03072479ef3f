/** What is marked in the source's editor: the engine's messages, what is selected and pointed at, and what the current step touches. */

import type { Diagnostic, Subject } from "../../../engine/api/types.ts";
import { isBlank } from "../../session/actions/programs.ts";
import { selectOwnMoment } from "../../session/provenance.ts";
import { sourceIndex } from "../../session/source-lines.ts";
import type { SessionState } from "../../session/state.ts";
import { editor, MarkerSeverity, Range } from "./api.ts";
import { didYouMean, isWord, MARKER_OWNER } from "./quick-fixes.ts";

export function sourceMarks(view: editor.IStandaloneCodeEditor, model: editor.ITextModel) {
  const selected = view.createDecorationsCollection();
  const touched = view.createDecorationsCollection();
  const pointed = view.createDecorationsCollection();
  const inText = (lines: readonly number[]): readonly number[] => [...new Set(lines)].filter((line) => line <= model.getLineCount());
  const whole = (lines: readonly number[], options: editor.IModelDecorationOptions): editor.IModelDeltaDecoration[] =>
    lines.map((line) => ({ range: new Range(line, 1, line, 1), options: { isWholeLine: true, ...options } }));
  /** As the graph does: while the user reads or writes, the text does not move. */
  const bring = (line: number | undefined): void => {
    if (line !== undefined && !view.hasTextFocus()) view.revealLineInCenterIfOutsideViewport(line);
  };
  return {
    messages({ document }: SessionState): void {
      const messages = document.open?.diagnostics ?? [];
      editor.setModelMarkers(
        model,
        MARKER_OWNER,
        messages.map((message) => markerOf(message, model)),
      );
    },
    /** `reveal`: it is scrolled into view. */
    selection(state: SessionState, reveal: boolean): void {
      const lines = inText(linesOfSubject(state.selection.selected, state));
      selected.set(whole(lines, { className: "ori-selected-line", linesDecorationsClassName: "ori-selected-margin" }));
      if (reveal) bring(lines[0]);
    },
    pointer(state: SessionState): void {
      const { hovered, line } = state.selection;
      const lines = inText([...linesOfSubject(hovered, state), ...(line === null ? [] : [line])]);
      if (lines.length > 0 || pointed.length > 0) pointed.set(whole(lines, { className: "ori-pointed-line" }));
    },
    step(state: SessionState): void {
      const lines = inText(linesOfStep(state));
      touched.set(whole(lines, { className: "ori-step-line" }));
      if (state.graph.follow) bring(lines[0]);
    },
  };
}

const SEVERITY = { error: MarkerSeverity.Error, warning: MarkerSeverity.Warning, info: MarkerSeverity.Info } as const;

function markerOf(d: Diagnostic, model: editor.ITextModel): editor.IMarkerData {
  const line = Math.max(1, Math.min(d.line, model.getLineCount()));
  const column = Math.max(1, d.column);
  const end = d.length > 0 ? column + d.length : model.getLineMaxColumn(line);
  return {
    severity: SEVERITY[d.severity],
    code: d.code,
    source: MARKER_OWNER,
    message:
      d.suggestion === null ? d.message : `${d.message}\n${d.length > 0 && isWord(d.suggestion) ? didYouMean(d.suggestion) : d.suggestion}`,
    startLineNumber: line,
    startColumn: column,
    endLineNumber: line,
    endColumn: Math.max(end, column + 1),
  };
}

/** Lines of the source that the current step touches: of instructions, or else of blocks. */
function linesOfStep(state: SessionState): readonly number[] {
  const moment = selectOwnMoment(state);
  // A cleared text has no line of this step.
  if (moment === null || isBlank(state.document.text)) return [];
  const { insts = [], blocks = [] } = moment.event?.focus ?? {};
  const lines = insts.flatMap((id) => linesOfSubject({ kind: "inst", id }, state));
  return lines.length > 0 ? lines : blocks.map((id) => moment.blocks.get(id)?.line ?? 0).filter((line) => line > 0);
}

/** Lines of the source that a subject came from. */
function linesOfSubject(subject: Subject | null, state: SessionState): readonly number[] {
  const moment = selectOwnMoment(state);
  if (subject === null || moment === null) return [];
  switch (subject.kind) {
    case "block": {
      const block = moment.blocks.get(subject.id);
      return block === undefined ? [] : [block.line, ...block.insts.map((i) => i.line)].filter((l) => l > 0);
    }
    case "edge": {
      const line = moment.blocks.get(subject.from)?.insts.at(-1)?.line ?? 0;
      return line > 0 ? [line] : [];
    }
    case "inst": {
      const line = sourceIndex(moment).insts.get(subject.id)?.inst.line ?? 0;
      return line > 0 ? [line] : [];
    }
    case "reg":
    case "node":
      return [];
  }
}

/** What is on a source line: the instruction, else the block. */
export function subjectOfLine(line: number, state: SessionState): Subject | null {
  const moment = selectOwnMoment(state);
  if (moment === null) return null;
  const index = sourceIndex(moment);
  const inst = index.lines.get(line)?.[0]?.inst;
  if (inst !== undefined) return { kind: "inst", id: inst.id };
  const block = index.blocks.get(line);
  return block === undefined ? null : { kind: "block", id: block.id };
}
