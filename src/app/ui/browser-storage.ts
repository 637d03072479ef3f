/** A storage of the browser, which may be forbidden or full: then nothing is found, and nothing is stored. */

export interface BrowserStorage {
  get(key: string): string | null;
  /** What is there as JSON; null: nothing, or it is damaged. */
  read(key: string): unknown;
  /** Its fields; none where there is no object. */
  fields(key: string): Readonly<Record<string, unknown>>;
  /** False: it was not stored. */
  set(key: string, text: string): boolean;
  remove(key: string): void;
  /** The keys that begin so, without their beginning. */
  keys(prefix: string): readonly string[];
}

export function browserStorage(name: "localStorage" | "sessionStorage"): BrowserStorage {
  const storage = attempt(() => globalThis[name]);
  const get = (key: string): string | null => attempt(() => storage?.getItem(key)) ?? null;
  const read = (key: string): unknown => attempt((): unknown => JSON.parse(get(key) ?? "null")) ?? null;
  return {
    get,
    read,
    fields: (key) => Object(read(key)),
    set: (key, text) =>
      attempt(() => {
        storage?.setItem(key, text);
        return storage !== undefined;
      }) === true,
    remove: (key) => attempt(() => storage?.removeItem(key)),
    keys: (prefix) =>
      (attempt(() => Object.keys(storage ?? {})) ?? []).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
  };
}

/** Undefined: it threw. Where storages are not allowed, every use of one does, and so does looking at it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
