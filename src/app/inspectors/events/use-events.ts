/** The text of events, fetched in pages as rows come into view, and the search through all of it. */

import { useCallback, useEffect, useRef, useState } from "react";
import type { TraceInfo } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { conditionsFound } from "../../names/conditions.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { messageOf } from "../../ui/failure.ts";

const PAGE = 256;
/** Events searched by text at most: their sentences are made for it one by one. */
export const SEARCH_LIMIT = 50_000;

export interface EventPages {
  readonly get: (step: number) => TraceEvent | null;
  /** Asks for the pages of these steps. */
  readonly want: (steps: Iterable<number>) => void;
}

export function useEventPages(trace: TraceInfo | null): EventPages {
  const { api } = useSessionObject();
  const epoch = useSession((s) => s.run.epoch);
  const pages = useRef<{ key: string; map: Map<number, readonly TraceEvent[] | "asked"> }>({ key: "", map: new Map() });
  const [, setVersion] = useState(0);
  const key = `${epoch}/${trace?.run ?? -1}`;
  if (pages.current.key !== key) pages.current = { key, map: new Map() };
  const run = trace?.run ?? -1;

  const want = useCallback(
    (steps: Iterable<number>) => {
      const { map } = pages.current;
      for (const step of steps) {
        const page = Math.floor(step / PAGE);
        if (run < 0 || map.has(page)) continue;
        map.set(page, "asked");
        api.events(run, page * PAGE, PAGE).then(
          (events) => {
            if (pages.current.key !== key) return;
            map.set(page, events);
            setVersion((v) => v + 1);
          },
          () => map.delete(page),
        );
      }
    },
    [api, run, key],
  );
  const get = useCallback((step: number) => {
    const page = pages.current.map.get(Math.floor(step / PAGE));
    return page === undefined || page === "asked" ? null : (page[step % PAGE] ?? null);
  }, []);
  return { get, want };
}

/** Steps whose sentence contains a text, or that a condition of that name refused; null while there is no text or the search is not done. */
export function useEventSearch(
  trace: TraceInfo | null,
  text: string,
): { readonly matches: ReadonlySet<number> | null; readonly cut: boolean; readonly error: string | null } {
  const { api } = useSessionObject();
  const epoch = useSession((s) => s.run.epoch);
  const [found, setFound] = useState<{ key: string; matches: ReadonlySet<number> | null; error: string | null } | null>(null);
  const run = trace?.run ?? -1;
  const steps = Math.min(trace?.steps ?? 0, SEARCH_LIMIT);
  const needle = text.trim().toLowerCase();
  const key = needle === "" ? "" : `${epoch}/${run}/${needle}`;

  useEffect(() => {
    if (key === "" || run < 0) return;
    let live = true;
    const conditions = conditionsFound(needle);
    const search = async () => {
      const matches = new Set<number>();
      for (let from = 0; from < steps && live; from += 4096) {
        for (const event of await api.events(run, from, Math.min(4096, steps - from))) {
          const { condition } = event.facts;
          if (event.sentence.toLowerCase().includes(needle) || (typeof condition === "string" && conditions.has(condition)))
            matches.add(event.step);
        }
        if (live) setFound({ key, matches: new Set(matches), error: null });
      }
      if (live) setFound({ key, matches, error: null });
    };
    const failed = (error: unknown): void => {
      if (live) setFound({ key, matches: null, error: messageOf(error) });
    };
    const timer = setTimeout(() => void search().catch(failed), 120);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [key, run, steps, needle, api]);

  const { matches, error } = key !== "" && found?.key === key ? found : { matches: null, error: null };
  return { matches, cut: key !== "" && (trace?.steps ?? 0) > SEARCH_LIMIT, error };
}
