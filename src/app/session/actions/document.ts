/** The text: typing, opening, recognising, and the answer to it. The last good answer stays until a better one. */

import type { SourceFormat } from "../../../engine/api/types.ts";
import { plural } from "../../ui/plural.ts";
import type { ActionContext } from "../context.ts";
import { createPump } from "../pump.ts";
import { selectKernel, selectStale } from "../selectors.ts";

/** Quiet time after a key before the engine is asked. */
const DEBOUNCE_MS = 45;

/** More characters than this are refused with a message: nothing that size could be shown usefully. */
export const MAX_TEXT = 8_000_000;

/** What to say of a text over the limit. */
export function tooLong(what: string, length: number): string {
  return `${what} has ${plural(length, "character")}; the limit is ${MAX_TEXT.toLocaleString("en")}.`;
}

export interface OpenedText {
  readonly text: string;
  readonly title: string;
  readonly format?: SourceFormat | null;
  readonly example?: string | null;
}

export interface DocumentActions {
  /** The text as typed. */
  setText(text: string): void;
  /** Another text altogether: example, file, link. Its format is kept only where the text does not show it by itself. */
  openText(opened: OpenedText): void;
  setFormat(format: SourceFormat | null): void;
  /** Rewrites the text with the PHIs of the open kernel replaced by copies, as an edit, and says what was done. */
  takePhisOut(): Promise<void>;
  /** Asks the engine about the text now. */
  refresh(): void;
  /** After a crash: whatever was asked is forgotten. */
  reset(): void;
}

export function documentActions(ctx: ActionContext, run: { request(): void }): DocumentActions {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What a text was said to be when it was opened: of use only while it cannot be recognised. */
  let hint: { readonly format: SourceFormat; readonly revision: number } | null = null;
  const pump = createPump(async (wanted) => {
    const { text, format, revision } = ctx.get().document;
    let answer = await ctx.api.open(revision, text, format);
    if (!wanted() || ctx.get().document.revision !== revision) return;
    if (format === null && hint !== null && hint.revision === revision && hint.format !== answer.format) {
      // The text does not show what it is said to be: from here on the format is set.
      ctx.patch("document", { format: hint.format });
      answer = await ctx.api.open(revision, text, hint.format);
      if (!wanted() || ctx.get().document.revision !== revision) return;
    }
    const usable = answer.kernels.length > 0 && answer.ok;
    ctx.patch("document", usable ? { open: answer, good: answer } : { open: answer });
    if (usable) run.request();
  }, ctx.report("The text could not be read"));

  const changed = (part: Partial<ReturnType<ActionContext["get"]>["document"]>, delay: number) => {
    const state = ctx.get();
    ctx.patchAll({
      document: { ...part, revision: state.document.revision + 1 },
      run: { stale: state.run.result !== null },
    });
    clearTimeout(timer);
    timer = setTimeout(() => pump.request(), delay);
  };

  return {
    setText(text) {
      if (text === ctx.get().document.text) return;
      if (text.length > MAX_TEXT) {
        ctx.notify("error", tooLong("The text", text.length));
        return;
      }
      if (isOtherProgram(ctx.get().document.text, text)) {
        // Pasted over everything: neither the old program's name nor what was selected in it means anything here.
        ctx.patchAll({ selection: { selected: null, hovered: null, line: null }, options: { kernel: null } });
        changed({ text, title: "untitled", example: null }, DEBOUNCE_MS);
      } else changed({ text }, DEBOUNCE_MS);
    },
    openText({ text, title, format = null, example = null }) {
      if (text.length > MAX_TEXT) {
        ctx.notify("error", tooLong(title, text.length));
        return;
      }
      ctx.patchAll({ selection: { selected: null, hovered: null, line: null }, options: { kernel: null } });
      // Not set at once: it would stay for the next text that is pasted over this one.
      changed({ text, title, format: null, example, opened: ctx.get().document.opened + 1 }, 0);
      hint = format === null ? null : { format, revision: ctx.get().document.revision };
    },
    setFormat(format) {
      changed({ format }, 0);
    },
    async takePhisOut() {
      const state = ctx.get();
      const kernel = selectKernel(state);
      const { revision } = state.document;
      if (kernel === null || selectStale(state)) return;
      try {
        const free = await ctx.api.phiFree(kernel.name);
        // Typed meanwhile: the answer belongs to a text that is no more.
        if (free === null || ctx.get().document.revision !== revision) return;
        if (!free.ok) ctx.notify("error", free.sentence);
        else {
          changed({ text: free.text }, 0);
          ctx.notify("info", `${free.sentence} Undo in the editor brings the PHIs back.`);
        }
      } catch (error) {
        ctx.report("The PHIs could not be taken out")(error);
      }
    },
    refresh: () => pump.request(),
    reset: () => pump.reset(),
  };
}

/** Whether a text shares next to nothing with the one before it: less than a twentieth at its two ends. */
export function isOtherProgram(before: string, after: string): boolean {
  const shorter = Math.min(before.length, after.length);
  if (shorter === 0) return false;
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  return (head + tail) * 20 < Math.max(before.length, after.length) && (head + tail) * 2 < shorter;
}
