/** Calls `work` once the browser has time to spare, after `limit` ms at the latest, and returns what takes that back. Safari has no idle callbacks. */
export function whenQuiet(work: () => void, limit?: number): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, limit === undefined ? {} : { timeout: limit });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(work, 500);
  return () => clearTimeout(handle);
}
