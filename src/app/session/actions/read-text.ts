/** Has the engine read the text: recognising its format, and the answer to it. The last good answer stays until a better one. */

import type { SourceFormat } from "../../../engine/api/types.ts";
import { atRest } from "../at-rest.ts";
import type { ActionContext } from "../context.ts";
import { createPump } from "../pump.ts";
import { selectKernel } from "../selectors.ts";
import type { Opened } from "../state.ts";

export interface Reading {
  /** Reads the text after this many milliseconds without another request. */
  request(delay: number): void;
  requestNow(): void;
  /** The format given when the text was opened, used only while it cannot be recognised. */
  expect(format: SourceFormat | null): void;
  /** Pending requests are forgotten. */
  reset(): void;
}

/** `run`: there is a kernel that can be run. */
export function readText(ctx: ActionContext, run: () => void): Reading {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requests = 0;
  let expected: { readonly format: SourceFormat; readonly revision: number } | null = null;
  const pump = createPump(async (wanted) => {
    const { format, revision } = ctx.get().document;
    const asked = () => wanted() && ctx.get().document.revision === revision;
    let answer = await openFirst(ctx, format);
    if (!asked()) return;
    if (format === null && expected !== null && expected.revision === revision && expected.format !== answer.format) {
      // The format cannot be recognised from the text, so it is set from here on.
      ctx.patch("document", { format: expected.format });
      answer = await openFirst(ctx, expected.format);
      if (!asked()) return;
    }
    take(ctx, answer);
    if (answer === ctx.get().document.good) run();
    // Reads the rest of a long text in short pieces, while nothing on screen waits for the engine.
    while ((answer.left ?? 0) > 0) {
      await atRest(ctx);
      if (!asked()) return;
      const more = await ctx.api.openMore(revision);
      if (more === null || !asked()) return;
      answer = more;
      take(ctx, answer);
    }
  }, ctx.report("The text could not be read"));
  return {
    request(delay) {
      const mine = ++requests;
      clearTimeout(timer);
      if (delay > 0) timer = setTimeout(() => pump.request(), delay);
      // In a microtask: the caller has set everything by then, and a timer would let the page render without the answer first.
      else queueMicrotask(() => mine === requests && pump.request());
    },
    requestNow: () => pump.request(),
    expect(format) {
      expected = format === null ? null : { format, revision: ctx.get().document.revision };
    },
    reset: () => pump.reset(),
  };
}

/** Asks the engine to read the text as a format, the kernel that is shown first; an engine of an earlier release reads all of it. */
function openFirst({ api, get }: ActionContext, format: SourceFormat | null): Promise<Opened> {
  const { document, options, engine } = get();
  if (engine.chosen !== null) return api.open(document.revision, document.text, format);
  // While the user types in the kernel that is shown, an error in it does not switch to another kernel.
  const sameProgram = document.good !== null && document.good.revision >= document.since;
  const kernel = sameProgram ? (selectKernel(get())?.name ?? null) : options.kernel;
  return api.openFirst(document.revision, document.text, format, kernel);
}

function take(ctx: ActionContext, answer: Opened): void {
  const { shown = answer.ok ? (answer.kernels[0]?.name ?? null) : null } = answer;
  ctx.patch("document", shown === null ? { open: answer } : { open: answer, good: answer });
}
