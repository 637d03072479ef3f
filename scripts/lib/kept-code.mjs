/**
 * Runs a bundle with the code that an earlier process compiled for it: V8's bytecode of every function that process called is kept beside the bundle, so that the
 * next one neither parses nor compiles it. A cache that does not fit (another Node, other flags, a truncated file) is ignored and replaced.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import { basename, dirname, join } from "node:path";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

/** What is kept for a command: the processor time of the process that made it, and what was compiled of each file. @typedef {{ ms: number, parts: Map<string, Buffer> }} Kept */

/** What a CommonJS file is the body of. */
const WRAPPER = "(function (exports, require, module, __filename, __dirname) {";

/**
 * Runs a CommonJS bundle whose files lie in one folder. What is kept is kept for each command, since each calls other functions.
 * @param {string} bundle absolute path
 * @param {string} command a word of lower-case letters; for anything else nothing is kept
 */
export function runKept(bundle, command) {
  // Code that has not run for a while would be thrown away, and be missing in what is kept.
  setFlagsFromString("--no-flush-bytecode");
  const folder = dirname(bundle);
  const file = /^[a-z]+$/.test(command) ? join(folder, `${command}.${cachedDataVersionTag()}.code`) : null;
  const kept = (file === null ? null : read(file)) ?? { ms: 0, parts: new Map() };
  const other = createRequire(bundle);
  /** @type {Map<string, { exports: object }>} */
  const modules = new Map();
  /** @type {Map<string, Script>} */
  const scripts = new Map();
  let fits = true;

  /** @param {string} name */
  const load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = join(folder, name);
    const cachedData = kept.parts.get(name);
    const code = `${WRAPPER}\n${readFileSync(filename, "utf8")}\n})`;
    const script = new Script(code, { filename, lineOffset: -1, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected === true) fits = false;
    scripts.set(name, script);
    script.runInThisContext().call(module.exports, module.exports, require, module, filename, folder);
    return module.exports;
  };
  /** @param {string} id */
  const require = (id) => (id.startsWith("./") ? load(id.slice(2)) : other(id));

  Error.prepareStackTrace = traceBySource(folder);
  process.once("exit", (code) => {
    const ms = process.cpuUsage().user / 1000;
    // A longer run has called more.
    if (file !== null && code === 0 && (!fits || ms > 2 * kept.ms)) write(file, ms, kept.parts, scripts);
  });
  load(basename(bundle));
}

/**
 * @param {string} file
 * @returns {Kept | null}
 */
function read(file) {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf(10);
    /** @type {{ ms: number, sum: string, parts: [name: string, length: number][] }} */
    const { ms, sum, parts } = JSON.parse(bytes.toString("utf8", 0, end));
    let at = end + 1;
    // V8 believes what it is given.
    if (sumOf([bytes.subarray(at)]) !== sum) return null;
    /** @type {Kept} */
    const kept = { ms, parts: new Map() };
    for (const [name, length] of parts) {
      kept.parts.set(name, bytes.subarray(at, at + length));
      at += length;
    }
    return kept;
  } catch {
    return null; // Absent or damaged: compile, and write it again.
  }
}

/** @param {Iterable<Buffer>} parts */
function sumOf(parts) {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/**
 * What this process has not loaded stays as it was: a command loads what its file's format needs.
 * @param {string} file
 * @param {number} ms
 * @param {ReadonlyMap<string, Buffer>} before
 * @param {ReadonlyMap<string, Script>} scripts
 */
function write(file, ms, before, scripts) {
  const made = new Map(before);
  for (const [name, script] of scripts) made.set(name, script.createCachedData());
  const head = JSON.stringify({ ms, sum: sumOf(made.values()), parts: [...made].map(([name, { length }]) => [name, length]) });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([Buffer.from(`${head}\n`), ...made.values()]));
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true }); // No room, or not ours to write to: the next process compiles, too.
  }
}

/**
 * Stack traces in lines of the sources; the maps, twice as long as the bundle, are read when there is an error to show.
 * @param {string} folder
 */
function traceBySource(folder) {
  /** @type {Map<string, SourceMap | null>} */
  const maps = new Map();
  /** @param {string} file */
  const mapOf = (file) => {
    let map = maps.get(file);
    if (map === undefined) {
      map = file.startsWith(folder) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))) : null;
      maps.set(file, map);
    }
    return map;
  };
  /** @type {(error: Error, frames: NodeJS.CallSite[]) => string} */
  return (error, frames) => {
    const lines = frames.map((frame) => {
      const file = frame.getFileName() ?? "";
      const entry = mapOf(file)?.findEntry((frame.getLineNumber() ?? 1) - 1, (frame.getColumnNumber() ?? 1) - 1);
      if (entry === undefined || !("originalSource" in entry)) return `    at ${frame}`;
      const place = `${join(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
      const name = frame.getFunctionName();
      return `    at ${name === null ? place : `${name} (${place})`}`;
    });
    return [String(error), ...lines].join("\n");
  };
}
