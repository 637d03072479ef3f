/** Brings the database and the shelf together, once both answer. */

import type { Database } from "./database.ts";
import { copyOf, newest, relation, type Summary } from "./record.ts";
import type { Shelf } from "./shelf.ts";

/** Returns what the database has then. */
export async function reconcile(database: Database, shelf: Shelf, birth: string): Promise<readonly Summary[]> {
  for (const { id } of shelf.list()) await bring(id, database, shelf, birth);
  const summaries = newest(await database.list());
  shelf.index(summaries);
  // The latest last, so that they are not given up for older ones.
  for (const { id, version } of summaries.toReversed()) {
    const copy = shelf.read(id);
    if (copy?.taken === birth && relation(copy.summary.version, version) === "same") continue;
    const kept = await database.read(id);
    if (kept !== null) shelf.copy(kept, birth);
  }
  return summaries;
}

/** Handles a record on the shelf: the database gets what it has not accepted yet, including what a deleted database had. */
async function bring(id: string, database: Database, shelf: Shelf, birth: string): Promise<void> {
  const here = shelf.read(id);
  if (here === null) return;
  const there = await database.read(id);
  // This database had it and no longer does: it was removed.
  if (here.taken === birth && there === null) {
    shelf.drop([id]);
    return;
  }
  const { written } = await database.write(here);
  if (written !== "apart" || there === null) return;
  // Another tab saved on top of the same version: different content becomes a separate work.
  if (JSON.stringify(there.data) !== JSON.stringify(here.data)) await database.write(copyOf(here, await database.list()));
  shelf.replace(there, birth);
}
