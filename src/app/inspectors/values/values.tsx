/** Values: classes of equal values with what became of each member, and the modes of value numbering side by side. */

import { useState } from "react";
import { useActions, useSession } from "../../session/hooks.ts";
import { selectMoment, selectPhase, selectTrace } from "../../session/selectors.ts";
import { VALUE_STRUCTURE } from "../../session/value-numbers.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Toolbar } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { ValueModes } from "./modes.tsx";
import { ValueClasses } from "./value-list.tsx";

const NUMBERING_PHASE = "gvn-cse";

export function Values() {
  const phase = useSession(selectPhase);
  const numbers = useSession((s) => selectTrace(s)?.structures.some((t) => t.name === VALUE_STRUCTURE) === true);
  const cells = useSession((s) => selectMoment(s)?.structures.get(VALUE_STRUCTURE)?.cells ?? null);
  const [view, setView] = useState("classes");
  const { position } = useActions();
  const numbering = phase?.id === NUMBERING_PHASE;
  if (phase === null) return null;
  return (
    <>
      <Toolbar>
        <Select
          label="Show"
          hideLabel
          value={view}
          options={[
            { value: "classes", title: "classes of equal values" },
            ...(numbering ? [{ value: "modes", title: "modes side by side" }] : []),
          ]}
          onChange={setView}
        />
      </Toolbar>
      {view === "modes" && numbering ? (
        <ValueModes run={phase.run} />
      ) : cells === null ? (
        <EmptyState title={numbers ? "No value has a number yet at this step." : "Nothing was numbered."}>
          {numbers ? (
            <Button variant="link" onClick={() => position.goTo(phase.run, "end")}>
              Go to the end of the phase
            </Button>
          ) : (
            phase.reason
          )}
        </EmptyState>
      ) : (
        <ValueClasses run={phase.run} cells={cells} />
      )}
    </>
  );
}
