/** Signs in the gutter of the source for lines that the phases have deleted, moved or replaced. */

import type { editor } from "monaco-editor";
import { lineFates } from "../../session/line-fates.ts";
import { applyDelta, type MomentState } from "../../session/moment.ts";
import type { Session } from "../../session/session.ts";
import { plainText } from "../markdown.ts";

/** Steps that follow each other faster than this are not drawn one by one. */
const QUIET_MS = 90;

/** Returns a function that ends it. */
export function markFates(view: editor.ICodeEditor, session: Session): () => void {
  const { store, api } = session;
  const signs = view.createDecorationsCollection();
  /** The program as it was read, of the result with this number. */
  let input: { readonly epoch: number; readonly moment: MomentState | null } = { epoch: -1, moment: null };
  let timer: ReturnType<typeof setTimeout> | undefined;

  const draw = () => {
    const { position, run } = store.getState();
    const model = view.getModel();
    const lines = model?.getLineCount() ?? 0;
    if (run.stale || position.moment === null || input.moment === null || input.epoch !== run.epoch) {
      signs.clear();
      return;
    }
    signs.set(
      [...lineFates(input.moment, position.moment)].flatMap(([line, { fate, text }]) =>
        line > lines
          ? []
          : [
              {
                range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: model?.getLineMaxColumn(line) ?? 1 },
                // Beside the sign for who points at it, in the line's hover for who has keys.
                options: {
                  linesDecorationsClassName: `ori-fate ori-fate-${fate}`,
                  linesDecorationsTooltip: text,
                  hoverMessage: { value: plainText(text) },
                },
              },
            ],
      ),
    );
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { run } = store.getState();
      if (run.result === null || input.epoch === run.epoch) {
        draw();
        return;
      }
      const { epoch } = run;
      input = { epoch, moment: null };
      api.view(0, -1, null).then(
        (delta) => {
          if (store.getState().run.epoch !== epoch) return;
          input = { epoch, moment: applyDelta(null, delta) };
          draw();
        },
        // Stopped or restarted: the next result is asked again; signs are a help, not the program.
        () => draw(),
      );
    }, QUIET_MS);
  };
  soon();
  const stop = store.subscribe((state, before) => {
    if (state.run !== before.run || state.position.moment?.blocks !== before.position.moment?.blocks) soon();
  });
  return () => {
    stop();
    clearTimeout(timer);
    signs.clear();
  };
}
