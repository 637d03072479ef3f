/** Where the work in progress is kept. Small, and read before the rest of the page has arrived. */
import { get, set } from "idb-keyval";

const WORK_KEY = "oriscope.work";

/** What was saved, whatever it is; undefined without any, or without a database (a private window, blocked). */
export async function readStored(): Promise<unknown> {
  try {
    return await get(WORK_KEY);
  } catch {
    return undefined;
  }
}

export function storeWork(work: unknown): Promise<void> {
  return set(WORK_KEY, work);
}
