/** Answers of a pass that was ended because its time was over, whoever ended it. */

const LATE = /did not end within \d+ ms/;

/** What the guest threw because its time was over, or that nothing came in time. */
function lateIn(found: object): string | null {
  const { failed, thrown, ended, message } = found as Readonly<Record<string, unknown>>;
  if (ended === "time") return String(message);
  const told = [failed, thrown].find((value) => typeof value === "object" && value !== null) as { readonly message?: unknown } | undefined;
  return typeof told?.message === "string" && LATE.test(told.message) ? told.message : null;
}
export const isLate = (found: object): boolean => lateIn(found) !== null;

/** The same words on every machine: the limit is the one that was asked for. */
export function inTheWordsOf<T extends object>(limit: number, found: T): T {
  return JSON.parse(JSON.stringify(found).replace(LATE, `did not end within ${limit} ms`)) as T;
}
