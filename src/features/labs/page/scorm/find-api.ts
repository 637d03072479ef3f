/** Finding what a course system offers: in the windows around this one, then in those around the one that opened it. */

/** As much of a window as is looked at. Reading any of it may throw where the window is another site's. */
export interface WindowLike {
  readonly parent: WindowLike | null;
  readonly top: WindowLike | null;
  readonly opener: WindowLike | null;
}

export type Edition = "1.2" | "2004";

/** What both editions have, under the names of the second. */
export interface RawApi {
  readonly [method: string]: unknown;
}

const NAMES: Readonly<Record<Edition, string>> = { "1.2": "API", "2004": "API_1484_11" };
/** Some systems nest deeper than the seven windows of the book. */
const MOST_WINDOWS = 50;

export function findApi(start: WindowLike, edition: Edition): RawApi | null {
  const around = (from: WindowLike | null): RawApi | null => {
    let at = from;
    for (let i = 0; at !== null && i < MOST_WINDOWS; i++) {
      const found = apiIn(at, NAMES[edition]);
      if (found !== null) return found;
      const up = look(() => at?.parent ?? null);
      at = up === at ? null : up;
    }
    return null;
  };
  const top = look(() => start.top);
  return around(start) ?? (top === null ? null : apiIn(top, NAMES[edition])) ?? around(look(() => start.opener));
}

function apiIn(window: WindowLike, name: string): RawApi | null {
  const found = look(() => (window as unknown as Readonly<Record<string, unknown>>)[name] ?? null);
  return typeof found === "object" && found !== null ? (found as RawApi) : null;
}

/** Another site's window throws where it is looked at: there is nothing for us, and the search continues upwards. */
function look<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
