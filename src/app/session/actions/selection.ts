/** Selection and hover: one subject each, shared by every view. */

import type { Subject } from "../../../engine/api/types.ts";
import type { ActionContext } from "../context.ts";
import { sameSubject, subjectsOfFocus } from "../subject.ts";

export interface SelectionActions {
  select(subject: Subject | null): void;
  /** Points at a subject, and at the line of the source text that it comes from, where it is known. */
  hover(subject: Subject | null, line?: number | null): void;
  /** Selects what the current event is about. */
  selectFocus(): void;
}

export function selectionActions(ctx: ActionContext): SelectionActions {
  return {
    select(selected) {
      if (!sameSubject(ctx.get().selection.selected, selected)) ctx.patch("selection", { selected });
    },
    hover(hovered, line = null) {
      const { selection } = ctx.get();
      if (!sameSubject(selection.hovered, hovered)) ctx.patch("selection", { hovered, line });
      else if (selection.line !== line) ctx.patch("selection", { line });
    },
    selectFocus() {
      const event = ctx.get().position.moment?.event;
      const subject = event ? subjectsOfFocus(event.focus)[0] : undefined;
      if (subject !== undefined) ctx.patch("selection", { selected: subject });
    },
  };
}
