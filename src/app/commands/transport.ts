/** The transport: every way to move through steps and phases, each forwards and backwards. */

import { noSteps, type Stride } from "../session/actions/position.ts";
import { type Command, onShown } from "../session/command.ts";
import type { Direction } from "../session/navigate.ts";
import type { SessionState } from "../session/state.ts";

const hasPhase = (s: SessionState): boolean => s.position.run >= 0;
const hasTrace = (s: SessionState): boolean => s.position.trace !== null;
const atStart = (s: SessionState): string => (hasTrace(s) ? "This is the start: no earlier phase runs." : noSteps(s));
const canMove = (direction: Direction) => (s: SessionState) =>
  hasTrace(s) && (direction === 1 || s.position.step >= 0 || s.position.run > 0);

/** The menu has the ways forwards; each way back is its key with Shift, and in the palette. */
const menuOf = (direction: Direction) => (direction === 1 ? "step" : null);

function stride(id: string, title: string, kind: Stride, direction: Direction, keys: readonly string[], separated = false): Command {
  return {
    id: `step.${id}`,
    title,
    menu: menuOf(direction),
    separated,
    keys,
    enabled: canMove(direction),
    otherwise: direction === 1 ? noSteps : atStart,
    run: (session) => session.actions.position.move(kind, direction),
  };
}

function sameKind(direction: Direction): Command {
  return {
    id: direction === 1 ? "step.event" : "step.event-back",
    title: direction === 1 ? "Next event of this kind" : "Previous event of this kind",
    menu: menuOf(direction),
    keys: direction === 1 ? ["E"] : ["Shift+E"],
    enabled: (s) => s.position.moment?.event != null,
    otherwise: (s) => (hasTrace(s) ? "This is the input of the phase: there is no current event whose kind to look for." : noSteps(s)),
    run: (session) => {
      const kind = session.store.getState().position.moment?.event?.kind;
      if (kind !== undefined) session.actions.position.moveToKind([kind], direction);
    },
  };
}

function ofKind(
  id: string,
  title: string,
  kinds: Parameters<Parameters<Command["run"]>[0]["actions"]["position"]["moveToKind"]>[0],
  direction: Direction,
): Command {
  return {
    id,
    title,
    menu: null,
    keys: [],
    enabled: hasTrace,
    run: (session) => session.actions.position.moveToKind(kinds, direction),
  };
}

function touching(direction: Direction): Command {
  return {
    id: direction === 1 ? "step.touch" : "step.touch-back",
    title: direction === 1 ? "Next step that touches the selection" : "Previous step that touches the selection",
    menu: menuOf(direction),
    keys: direction === 1 ? ["T"] : ["Shift+T"],
    enabled: (s) => hasTrace(s) && s.selection.selected !== null,
    otherwise: (s) => (hasTrace(s) ? "Nothing is selected: click a block, an instruction or a register first." : noSteps(s)),
    run: (session) => {
      const subject = session.store.getState().selection.selected;
      if (subject !== null) session.actions.position.moveToSubject(subject, direction);
    },
  };
}

function phase(id: string, title: string, which: "ran" | "changed", direction: Direction, keys: readonly string[]): Command {
  return {
    id: `phase.${id}`,
    title,
    menu: direction === 1 ? "phase" : null,
    keys,
    enabled: hasPhase,
    run: (session) => session.actions.position.movePhase(direction, which),
  };
}

const MOVES: readonly Command[] = [
  stride("into", "Step into", "into", 1, ["S", "Mod+."]),
  stride("into-back", "Step back into", "into", -1, ["Shift+S", "Mod+,"]),
  stride("over", "Step over", "over", 1, ["O"]),
  stride("over-back", "Step back over", "over", -1, ["Shift+O"]),
  stride("out", "Step out", "out", 1, ["U"]),
  stride("out-back", "Step back out", "out", -1, ["Shift+U"]),
  stride("change", "Next change", "change", 1, ["C"], true),
  stride("change-back", "Previous change", "change", -1, ["Shift+C"]),
  sameKind(1),
  sameKind(-1),
  ofKind("step.match", "Next match or verdict", ["match"], 1),
  ofKind("step.match-back", "Previous match or verdict", ["match"], -1),
  ofKind("step.rewrite", "Next rewrite", ["rewrite"], 1),
  ofKind("step.rewrite-back", "Previous rewrite", ["rewrite"], -1),
  touching(1),
  touching(-1),
  stride("breakpoint", "Next breakpoint", "breakpoint", 1, ["B"], true),
  stride("breakpoint-back", "Previous breakpoint", "breakpoint", -1, ["Shift+B"]),
  {
    id: "step.start",
    title: "To the phase's start",
    menu: "step",
    separated: true,
    keys: ["Mod+Home"],
    enabled: hasTrace,
    run: (session) => session.actions.position.seek("start"),
  },
  {
    id: "step.end",
    title: "To the phase's end",
    menu: "step",
    keys: ["Mod+End"],
    enabled: hasTrace,
    run: (session) => session.actions.position.seek("end"),
  },
  phase("next-changed", "Next phase that changed something", "changed", 1, ["]"]),
  phase("previous-changed", "Previous phase that changed something", "changed", -1, ["["]),
  phase("next", "Next phase that ran", "ran", 1, ["Shift+]"]),
  phase("previous", "Previous phase that ran", "ran", -1, ["Shift+["]),
];

export const TRANSPORT = MOVES.map(onShown);
