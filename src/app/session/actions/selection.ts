/** Selection and hover: one subject each, shared by every view. */

import type { Subject } from "../../../engine/api/types.ts";
import type { ActionContext } from "../context.ts";
import { sameSubject, subjectsOfFocus } from "../subject.ts";

export interface SelectionActions {
  select(subject: Subject | null): void;
  hover(subject: Subject | null): void;
  /** Selects what the current event is about. */
  selectFocus(): void;
}

export function selectionActions(ctx: ActionContext): SelectionActions {
  return {
    select(selected) {
      if (!sameSubject(ctx.get().selection.selected, selected)) ctx.patch("selection", { selected });
    },
    hover(hovered) {
      if (!sameSubject(ctx.get().selection.hovered, hovered)) ctx.patch("selection", { hovered });
    },
    selectFocus() {
      const event = ctx.get().position.moment?.event;
      const subject = event ? subjectsOfFocus(event.focus)[0] : undefined;
      if (subject !== undefined) ctx.patch("selection", { selected: subject });
    },
  };
}
