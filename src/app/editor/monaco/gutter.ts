/** Signs in the gutter of the source for lines that the phases have deleted, moved or replaced. */

import type { editor } from "monaco-editor";
import type { LineChange, PhaseRun } from "../../../engine/api/types.ts";
import { plainName } from "../../names/phases.ts";
import { type LineDiff, lineDiffs } from "../../session/line-diffs.ts";
import { applyDelta, type MomentState } from "../../session/moment.ts";
import { selectOwnMoment } from "../../session/provenance.ts";
import type { Session } from "../../session/session.ts";
import { plainText } from "../markdown.ts";

/** Steps that follow each other faster than this are not drawn one by one. */
const QUIET_MS = 90;

/** Returns a function that ends it. */
export function markLineDiffs(view: editor.ICodeEditor, session: Session): () => void {
  const { store, api } = session;
  const signs = view.createDecorationsCollection();
  /** The program as it was read, of the result with this number. */
  let input: { readonly epoch: number; readonly moment: MomentState | null } = { epoch: -1, moment: null };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  /** `changes`: which phase changed a line last. */
  const draw = (changes: readonly LineChange[]) => {
    if (ended) return;
    const state = store.getState();
    const { run } = state;
    const moment = run.stale ? null : selectOwnMoment(state);
    if (moment === null || input.moment === null || input.epoch !== run.epoch) {
      signs.clear();
      return;
    }
    const model = view.getModel();
    const lines = model?.getLineCount() ?? 0;
    const diffs = lineDiffs(input.moment, moment, changedBy(changes, run.result?.phases ?? []));
    signs.set([...diffs].filter(([line]) => line <= lines).map(([line, diff]) => signOf(line, diff, model?.getLineMaxColumn(line) ?? 1)));
  };
  const look = async (): Promise<void> => {
    const { run } = store.getState();
    if (run.result === null) {
      draw([]);
      return;
    }
    const { epoch } = run;
    if (input.epoch !== epoch) {
      input = { epoch, moment: null };
      const moment = applyDelta(null, await api.view(0, -1, null));
      if (store.getState().run.epoch !== epoch) return;
      input = { epoch, moment };
    }
    const moment = selectOwnMoment(store.getState());
    if (moment === null || run.stale) {
      draw([]);
      return;
    }
    // An engine of an earlier release does not know.
    const changes = await api.lineChanges({ run: moment.run, step: moment.step }).catch(() => []);
    if (store.getState().position.moment?.blocks === moment.blocks) draw(changes);
  };
  const soon = () => {
    clearTimeout(timer);
    // Stopped or restarted: the next result requests them again; signs are a help, not the program.
    timer = setTimeout(() => void look().catch(() => draw([])), QUIET_MS);
  };
  soon();
  const stop = store.subscribe((state, before) => {
    if (state.run !== before.run || state.position.moment?.blocks !== before.position.moment?.blocks) soon();
  });
  return () => {
    stop();
    clearTimeout(timer);
    signs.clear();
    ended = true;
  };
}

/** The phase that changed a line last, by both of its names. */
function changedBy(changes: readonly LineChange[], phases: readonly PhaseRun[]): (line: number) => string | null {
  const by = new Map(changes.map(([line, run]) => [line, phases[run]]));
  return (line) => {
    const phase = by.get(line);
    if (phase === undefined) return null;
    const plain = plainName(phase);
    return plain === phase.name ? plain : `${plain} (${phase.name})`;
  };
}

function signOf(line: number, { diff, text }: LineDiff, endColumn: number): editor.IModelDeltaDecoration {
  return {
    range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn },
    // Next to the sign for a pointer, in the line's hover for keys.
    options: {
      linesDecorationsClassName: `ori-diff ori-diff-${diff}`,
      linesDecorationsTooltip: text,
      hoverMessage: { value: plainText(text) },
    },
  };
}
