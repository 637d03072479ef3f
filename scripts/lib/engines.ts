/** The engines next to a published page, and the release that keeps them: `engines.json` lists each with its files. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

export const LIST = "engines.json";

export interface ListedEngine {
  /** Hash in the name of its script. */
  readonly id: string;
  readonly version: string;
  /** Its script first, relative to the page. */
  readonly files: readonly string[];
}

/** Newest first. */
export function writeList(file: string, engines: readonly ListedEngine[]): void {
  writeFileSync(file, `${JSON.stringify({ engines }, null, 1)}\n`);
}

/** The engines of a folder, newest first; null if it has no list. Throws if the list cannot be read: nothing may be lost then. */
export function readList(folder: string): readonly ListedEngine[] | null {
  const file = join(folder, LIST);
  if (!existsSync(file)) return null;
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  const engines: unknown = typeof value === "object" && value !== null && "engines" in value ? value.engines : null;
  if (!Array.isArray(engines) || !engines.every(isEngine)) throw new Error(`${file} is not a list of engines`);
  return engines;
}

function isEngine(value: unknown): value is ListedEngine {
  if (typeof value !== "object" || value === null) return false;
  const { id, version, files } = value as Readonly<Record<string, unknown>>;
  const inside = (file: unknown): boolean => typeof file === "string" && /^assets\/[\w.-]+$/.test(file);
  return typeof id === "string" && typeof version === "string" && Array.isArray(files) && files.length > 0 && files.every(inside);
}

export interface Release {
  readonly engines: readonly ListedEngine[];
  /** Engines of the list whose files are gone. */
  readonly lost: readonly ListedEngine[];
  readonly removed: number;
}

/** What a release may leave in a folder next to the page: a repository's own files. */
const KEPT = /^(?:\.git(?:\/|$)|\.nojekyll$|CNAME$)/;

/**
 * Replaces the page in a folder with a built page (`from`), and keeps the old page's engines. Files of the former page that are
 * not an engine's are deleted. Refuses a folder that contains something else.
 */
export function release(from: string, to: string): Release {
  const built = readList(from);
  if (built === null) throw new Error(`${from} contains no built page`);
  mkdirSync(to, { recursive: true });
  const there = filesUnder(to).filter((file) => !KEPT.test(file));
  const former = readList(to);
  if (former === null && there.length > 0) throw new Error(`${to} is not empty and contains no published page: nothing was changed`);
  const known = new Set(built.map(({ id }) => id));
  const older = (former ?? []).filter(({ id }) => !known.has(id));
  const lost = older.filter(({ files }) => !files.every((file) => existsSync(join(to, file))));
  const engines = [...built, ...older.filter((engine) => !lost.includes(engine))];
  const wanted = new Set([...filesUnder(from), ...engines.flatMap(({ files }) => files)]);
  const gone = there.filter((file) => !wanted.has(file));
  for (const file of gone) remove(to, file);
  cpSync(from, to, { recursive: true, filter: (file) => file === from || !basename(file).startsWith(".") });
  writeList(join(to, LIST), engines);
  return { engines, lost, removed: gone.length };
}

/** Removes a file, and the folders that it leaves empty. */
function remove(top: string, file: string): void {
  rmSync(join(top, file));
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    if (readdirSync(join(top, folder)).length > 0) return;
    rmdirSync(join(top, folder));
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
