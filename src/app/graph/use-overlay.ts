/** The data of the chosen overlay for the current moment, requested from the engine only where necessary. */

import { useMemo } from "react";
import type { TraceInfo } from "../../engine/api/types.ts";
import type { TraceEvent } from "../../engine/trace/event.ts";
import { EVENT_KINDS } from "../../engine/trace/kinds.ts";
import { useEngineQuery, useSession, useSessionObject } from "../session/hooks.ts";
import { lastChange } from "../session/last-change.ts";
import type { CellValue } from "../session/moment.ts";
import { selectMoment, selectTrace } from "../session/selectors.ts";
import { OVERLAYS } from "../session/state.ts";
import { structureNumbers, VALUE_STRUCTURE } from "../session/value-numbers.ts";
import { needsAnalyses, type OverlayData, overlayData } from "./overlay/overlay.ts";
import { valueNumbers } from "./overlay/values.ts";

const VALUE_NUMBER = EVENT_KINDS.indexOf("value-number");
/** Events read for the overlay of value numbers; past this the oldest are enough to see the idea. */
const MAX_EVENTS = 20_000;

export function useOverlay(): OverlayData | null {
  const kind = useSession((s) => s.view.overlay);
  // Without an overlay nothing is read of the step: then the graph's frame renders with none.
  const moment = useSession((s) => (s.view.overlay === "none" ? null : selectMoment(s)));
  const trace = useSession(selectTrace);
  const report = useSession((s) => s.run.report);
  const { graphOverlay: overlay } = useSessionObject().features.find(({ graphOverlay }) => graphOverlay?.id === kind) ?? {};
  const drawn = useSession((s) => overlay?.draw(s) ?? null);

  // The analyses are valid until the program changes.
  const at = moment === null || !needsAnalyses(kind) ? null : { run: moment.run, step: lastChange(trace, moment.step) };
  const { data: analyses } = useEngineQuery(at === null ? null : `analyses|${at.run}|${at.step}`, async (api) => {
    const moment = at ?? { run: -1, step: null };
    return { run: moment.run, analyses: await api.analyses(moment) };
  });
  // The structure, if the phase has one, is loaded already; else the events are read.
  const shown = trace?.structures.some((s) => s.name === VALUE_STRUCTURE) === true;
  const wanted = kind === "values" && trace !== null && !shown ? trace : null;
  const { data: events } = useEngineQuery(wanted === null ? null : `values|${wanted.run}`, async (api) => {
    const found: TraceEvent[] = [];
    if (wanted === null) return { run: -1, events: found };
    for (const [from, count] of kindRanges(wanted)) {
      found.push(...(await api.events(wanted.run, from, count)).filter((e) => e.kind === "value-number"));
      if (found.length > MAX_EVENTS) break;
    }
    return { run: wanted.run, events: found };
  });

  return useMemo(() => {
    if (moment === null) return null;
    if (drawn !== null) return { kind, ...drawn };
    const own = OVERLAYS.find((one) => one === kind) ?? "none";
    return overlayData(own, {
      moment,
      analyses: analyses?.run === moment.run ? analyses.analyses : null,
      report,
      values: shown
        ? structureNumbers(moment.structures.get(VALUE_STRUCTURE)?.cells ?? NO_CELLS)
        : events?.run === moment.run
          ? valueNumbers(events.events, moment.step)
          : null,
    });
  }, [kind, moment, analyses, report, events, shown, drawn]);
}

const NO_CELLS: ReadonlyMap<string, CellValue> = new Map();

/** Ranges of the trace with value-number events, near ones joined, so that a few requests read them all. */
function kindRanges(trace: TraceInfo): readonly (readonly [from: number, count: number])[] {
  const ranges: [number, number][] = [];
  for (let i = 0; i < trace.steps; i++) {
    if (trace.kinds[i] !== VALUE_NUMBER) continue;
    const last = ranges.at(-1);
    if (last !== undefined && i - (last[0] + last[1]) < 256 && i - last[0] < 4096) last[1] = i - last[0] + 1;
    else ranges.push([i, 1]);
  }
  return ranges;
}
