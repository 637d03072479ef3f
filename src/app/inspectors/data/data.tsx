/** The data of the step: what the phase works on, a part each, of which one is open. Only parts that the phase has are listed. */

import type { ComponentType } from "react";
import { useActions, useSession } from "../../session/hooks.ts";
import { DATA_PARTS, type DataPart } from "../../session/places.ts";
import { selectPhase, selectTrace } from "../../session/selectors.ts";
import type { SessionState } from "../../session/state.ts";
import { VALUE_STRUCTURE } from "../../session/value-numbers.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { late } from "../late.tsx";
import { Fold } from "../shared/fold.tsx";
import { Structures } from "../structures/structures.tsx";

interface Part {
  readonly title: string;
  /** Whether the open phase has it. */
  readonly has: (state: SessionState) => boolean;
  readonly content: ComponentType;
}

const inPhase =
  (...ids: readonly string[]) =>
  (state: SessionState): boolean =>
    ids.includes(selectPhase(state)?.id ?? "");

const numbersValues = (state: SessionState): boolean =>
  inPhase("gvn-cse")(state) || selectTrace(state)?.structures.some((t) => t.name === VALUE_STRUCTURE) === true;

const PARTS: Readonly<Record<DataPart, Part>> = {
  structures: { title: "Structures", has: (s) => (s.position.trace?.structures.length ?? 0) > 0, content: Structures },
  values: { title: "Values", has: numbersValues, content: late(async () => (await import("../values/values.tsx")).Values) },
  switches: {
    title: "Switches",
    has: inPhase("do-switch-opt-first", "do-switch-opt-second", "expand-jmx-computation"),
    content: late(async () => (await import("../switches/switches.tsx")).Switches),
  },
  tails: { title: "Tails", has: inPhase("branch-folding"), content: late(async () => (await import("../tails/tails.tsx")).Tails) },
  // The record is ptxas's.
  record: {
    title: "Record",
    has: (s) => selectPhase(s)?.group !== "foreign",
    content: late(async () => (await import("../record/record.tsx")).RecordInspector),
  },
};

/** A string, so that the selector's result stays equal while nothing changes. */
const selectParts = (state: SessionState): string => DATA_PARTS.filter((part) => PARTS[part].has(state)).join(" ");

export function Data() {
  const has = useSession(selectParts).split(" ");
  const open = useSession((s) => s.view.open);
  const { view } = useActions();
  const parts = DATA_PARTS.filter((part) => has.includes(part));
  const shown = parts.find((part) => part === open.part) ?? parts[0];
  if (shown === undefined) return <EmptyState title="No data structures.">The recording of this phase contains none.</EmptyState>;
  return parts.map((part) => {
    const { title, content: Content } = PARTS[part];
    return (
      <Fold key={part} title={title} fills open={part === shown} onToggle={() => view.set({ open: { ...open, part } })}>
        <Content />
      </Fold>
    );
  });
}
