/** The rule of the step that is shown, and the sources of its family. */

import { useEffect, useMemo, useState } from "react";
import { useEngineQuery, useSession } from "../../session/hooks.ts";
import { selectEvent, selectPhase } from "../../session/selectors.ts";
import { type RuleOfStep, type RuleSources, ruleOfStep } from "./rule-of-step.ts";
import { SOURCES } from "./sources.generated.ts";

/** Null where no step is shown, or it belongs to no rule. */
export function useRule(): RuleOfStep | null {
  const event = useSession(selectEvent);
  const phase = useSession((s) => selectPhase(s)?.id ?? null);
  const { data } = useEngineQuery(phase === null ? null : `rules/${phase}`, async (api) =>
    phase === null ? null : { phase, rules: await api.rules(phase) },
  );
  return useMemo(
    () => (event === null || data === null || data.phase !== phase ? null : ruleOfStep(data.rules, event)),
    [data, phase, event],
  );
}

export type Loaded = RuleSources | "loading" | "failed";

/** The sources of a family, a file of the build that is loaded on first use. */
export function useRuleSources(family: string | null): Loaded {
  const [loaded, setLoaded] = useState<{ readonly family: string; readonly sources: Loaded } | null>(null);
  useEffect(() => {
    const load = family === null ? undefined : SOURCES[family];
    if (family === null) return;
    let gone = false;
    const set = (sources: Loaded): void => {
      if (!gone) setLoaded({ family, sources });
    };
    if (load === undefined) set("failed");
    else
      load().then(
        ({ sources }) => set(sources),
        () => set("failed"),
      );
    return () => {
      gone = true;
    };
  }, [family]);
  return loaded === null || loaded.family !== family ? "loading" : loaded.sources;
}
