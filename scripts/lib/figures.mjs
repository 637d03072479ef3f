/** Figures of the structure: how much of the passes is reporting, what circles there are, how long things have become. Works on text. */
import { parseSync } from "rolldown/utils";
import { importsOf, walk } from "./layers.mjs";

/** @typedef {{ path: string, text: string }} File */
/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */

/**
 * @param {readonly File[]} files everything that git knows under src/, paths from the repository's root
 */
export function figuresOf(files) {
  const code = files.filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path));
  const passes = code.filter(({ path }) => /^src\/engine\/passes\/[^/]+\//.test(path));
  const bodies = passes.filter(({ path }) => !/\/(rules|rows|pseudocode)\.ts$/.test(path));
  const analyses = code.filter(({ path }) => path.startsWith("src/engine/analysis/"));
  const circle = largestCircle(code.filter(({ path }) => path.startsWith("src/engine/")));
  const lines = bodies.map(({ text }) => lineCount(text));
  const logs = files.filter(({ path, text }) => path.endsWith(".expect.md") && text.includes("\n## Events"));
  return {
    /** Lines of calls that only tell something, over all lines of the passes without their tables; percent. */
    reportingShare: round((100 * sum(bodies.map(reportingLines))) / sum(lines)),
    /** Places in passes and analyses that ask the recorder themselves. */
    recorderGuards: sum([...passes, ...analyses].map(({ text }) => text.match(/\brec\.on\b/g)?.length ?? 0)),
    /** Lines of pseudocode whose numbers are written by hand. */
    handNumbered: sum(passes.map(({ text }) => handNumbered(text))),
    /** Lines of files in analysis/ that tell nothing and change nothing; percent. */
    analysesShare: round(
      (100 * sum(analyses.filter(isAnalysis).map((f) => lineCount(f.text)))) / sum(analyses.map((f) => lineCount(f.text))),
    ),
    /** Files of the engine that import each other in a circle, types included. */
    largestCircle: circle.length,
    /** The same among passes and analyses alone. */
    largestPassCircle: largestCircle([...code.filter(({ path }) => path.startsWith("src/engine/passes/")), ...analyses]).length,
    /** Files that hold what a family says: the most goldens with an event log of one family. */
    goldensOfOneWording: Math.max(0, ...countBy(logs, ({ path }) => path.split("/")[3] ?? "").values()),
    medianPassFile: median(lines),
    sourceLines: sum(code.map(({ text }) => lineCount(text))),
    testLines: sum(files.filter(({ path }) => /\.tsx?$/.test(path) && isTest(path)).map(({ text }) => lineCount(text))),
    dataLines: sum(
      files.filter(({ path }) => !/\.(tsx?|css|md)$/.test(path) || path.endsWith(".expect.md")).map(({ text }) => lineCount(text)),
    ),
    circle,
  };
}

/** @param {string} path */
const isTest = (path) => /\.test\.tsx?$|\/(testing|fixtures)\//.test(path);

/** @param {string} text */
const lineCount = (text) => text.split("\n").length - 1;

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** @param {number} n */
const round = (n) => Math.round(n * 10) / 10;

/** @param {readonly number[]} numbers */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => string} key
 */
function countBy(items, key) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

// --- reporting -------------------------------------------------------------------------------------------------------------------

/** Verbs that only tell: nothing depends on what they return. */
const TELLS = {
  remark: new Set(["step", "open", "close", "at", "matched", "missed", "gate", "span"]),
  rec: new Set(["event", "begin", "end", "at", "cell", "structure"]),
};

/**
 * Lines that belong to a call that tells, or to a condition that somebody listens. What a span does is not telling.
 * @param {File} file
 */
function reportingLines({ path, text }) {
  const { program } = parseSync(path, text);
  const nodes = /** @type {Node[]} */ (walk(/** @type {any} */ (program)));
  /** @type {Set<number>} */
  const lines = new Set();
  const starts = lineStarts(text);
  const mark = (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let line = lineAt(starts, from); line <= lineAt(starts, to - 1); line++) lines.add(line);
  };
  for (const node of nodes) {
    if (node.type === "IfStatement" && /^[\w.]*(rec\.on|listening)$/.test(text.slice(node.test.start, node.test.end)))
      mark(node.start, node.end);
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") continue;
    const object = /(\w+)$/.exec(text.slice(node.callee.object.start, node.callee.object.end))?.[1] ?? "";
    const verbs = object === "remark" ? TELLS.remark : object === "rec" ? TELLS.rec : null;
    const verb = String(node.callee.property.name ?? "");
    if (verbs === null || !verbs.has(verb)) continue;
    const last = node.arguments[node.arguments.length - 1];
    mark(node.start, verb === "span" && last?.type === "ArrowFunctionExpression" ? last.body.start : node.end);
  }
  return lines.size;
}

/** @param {string} text */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * @param {readonly number[]} starts
 * @param {number} offset
 */
function lineAt(starts, offset) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param {string} text */
function handNumbered(text) {
  const table = /export const LINE = \{([^}]*)\}/.exec(text)?.[1] ?? "";
  return table.match(/:\s*\d+,/g)?.length ?? 0;
}

/** It neither tells a recorder nor changes a function. @param {File} file */
function isAnalysis({ text }) {
  return (
    !/from "\.\.\/(remark\/remarks|trace\/recorder)\.ts"/.test(text) &&
    !/\bedit\.(replace|insert|remove|sweep|setTerminators|freshReg)\(/.test(text)
  );
}

// --- circles ---------------------------------------------------------------------------------------------------------------------

/**
 * The most files that reach each other by imports, types included.
 * @param {readonly File[]} files
 */
function largestCircle(files) {
  const known = new Set(files.map(({ path }) => path));
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const { path, text } of files) {
    const { program } = parseSync(path, text);
    const found = importsOf(walk(/** @type {any} */ (program))).map(({ source }) => resolve(path, source));
    imports.set(
      path,
      found.filter((target) => known.has(target)),
    );
  }
  return components(imports)
    .reduce((/** @type {string[]} */ most, each) => (each.length > most.length ? each : most), [])
    .sort();
}

/**
 * @param {string} from
 * @param {string} source
 */
function resolve(from, source) {
  if (!source.startsWith(".")) return "";
  return new URL(source, `file:///${from}`).pathname.slice(1);
}

/**
 * Strongly connected components of more than one file (Tarjan).
 * @param {ReadonlyMap<string, readonly string[]>} edges
 */
function components(edges) {
  /** @type {Map<string, { index: number, low: number }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  const onStack = new Set();
  /** @type {string[][]} */
  const found = [];
  /** @param {string} node */
  const visit = (node) => {
    const own = { index: seen.size, low: seen.size };
    seen.set(node, own);
    stack.push(node);
    onStack.add(node);
    for (const next of edges.get(node) ?? []) {
      const known = seen.get(next);
      if (known === undefined) own.low = Math.min(own.low, visit(next));
      else if (onStack.has(next)) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) {
      const members = stack.splice(stack.indexOf(node));
      for (const member of members) onStack.delete(member);
      if (members.length > 1) found.push(members);
    }
    return own.low;
  };
  for (const node of edges.keys()) if (!seen.has(node)) visit(node);
  return found;
}
