/** What a right press on a step, or on a phase of the strip, offers: what could be otherwise from there on, and what can be watched. */

import type { Command } from "../../../../app/session/command.ts";
import { selectMoment } from "../../../../app/session/selectors.ts";
import type { Session } from "../../../../app/session/session.ts";
import type { SessionState } from "../../../../app/session/state.ts";
import { subjectTitle } from "../../../../app/session/subject.ts";
import type { MenuEntry } from "../../../../app/ui/menu-button.tsx";
import type { Subject } from "../../../../engine/api/types.ts";
import { FUTURE_COMMANDS } from "../commands.ts";
import { type WatchSuggestion, watchesOf } from "./watch-entries.ts";

export type MenuArea = "step" | "phase";

const OF_STEP = ["future.skip", "future.stop-before", "future.another-value", "future.edit"] as const;
const OF_PHASE = ["future.leave-out", "future.insert", "future.earlier", "future.later", "future.put-in"] as const;

export function entriesAt(area: MenuArea, subject: Subject | null, session: Session, state: SessionState): readonly MenuEntry[] {
  const phase: readonly MenuEntry[] = ofCommands(OF_PHASE, session, state);
  if (area === "phase")
    return [...phase, separator("before-value"), ...ofCommands(["future.another-value", "future.edit-before"], session, state)];
  return [
    ...ofCommands(OF_STEP, session, state),
    separator("before-phase"),
    ...phase,
    separator("before-watch"),
    ...watchEntries(subject, session, state),
  ];
}

const separator = (id: string): MenuEntry => ({ kind: "separator", id });

function ofCommands(ids: readonly string[], session: Session, state: SessionState): readonly MenuEntry[] {
  const found = ids.map((id) => FUTURE_COMMANDS.find((one) => one.id === id)).filter((one): one is Command => one !== undefined);
  return found.map((command): MenuEntry => {
    const enabled = command.enabled(state);
    return {
      kind: "item",
      id: command.id,
      title: command.title,
      keys: command.keys[0],
      disabled: !enabled,
      note: enabled ? undefined : command.otherwise?.(state),
      run: () => command.run(session),
    };
  });
}

function watchEntries(subject: Subject | null, session: Session, state: SessionState): readonly MenuEntry[] {
  const moment = selectMoment(state);
  if (moment === null) return [];
  const watches = watchesOf(subject, moment);
  const title = subject === null ? "Watch the program" : `Watch ${subjectTitle(subject, moment)}`;
  return [{ kind: "heading", id: "watch", title }, ...watches.map((watch) => watchEntry(watch, session, state))];
}

function watchEntry({ title, text }: WatchSuggestion, session: Session, state: SessionState): MenuEntry {
  const set = state.breakpoints.list.some(({ breakpoint: b }) => b.kind === "watch" && b.text === text);
  return {
    kind: "item",
    id: text,
    title,
    checked: set,
    run: () => {
      session.actions.breakpoints.toggle({ kind: "watch", text });
      session.actions.notify("info", set ? `${text} is no longer watched.` : `Watched: ${text}. Stepping to a breakpoint stops there.`, {
        label: "Find in all phases",
        command: "breakpoints.find-watched",
      });
    },
  };
}
