/**
 * The layer rules: which file may import which. Which layer may name which at all is in the `tsconfig.json` of each; these tell files, packages and kinds of import apart,
 * which the compiler does not. A test may import anything. Works on text, so that tests can feed it.
 */
import { posix } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";

/** @typedef {{ file: string, line: number, message: string }} Violation */
/** @typedef {{ source: string, typeOnly: boolean, start: number }} Import */
/**
 * What a layer may import. `to` are paths from the repository's root, each a file or a folder ending in `/`; `types` may be
 * imported with `import type` only; `packages` are npm packages (`node:` stands for all of Node's own), null for any.
 * @typedef {{ from: string[], to: string[], types?: string[], packages: string[] | null }} Layer
 */

/** Data without code that both sides of the wire have: what the passes say about themselves, kinds, defaults. */
const data = ["trace/kinds.ts", "pipeline/defaults.ts", "api/defaults.ts", "passes/about.ts", "passes/abouts.ts"].map(
  (file) => `src/engine/${file}`,
);
// The plain data that crosses the wire. Types vanish when compiled, so naming them moves no code between the layers.
const wireTypes = ["src/engine/api/", "src/engine/trace/event.ts"];
// The rows of the structures that a pass shows: a renamed field is then a type error in its drawing.
const rowTypes = ["src/engine/passes/*/rows.ts", "src/engine/passes/shared/*/rows.ts"];
/** The page's end of the wire, without the engine. */
const client = "questions veil veiled-engine threads spawn text-edit first-answers life packed-view client"
  .split(" ")
  .map((name) => `src/worker/${name}.ts`);

/** What every layer may import, and what imports nothing. */
const BASE = "src/base/";

/**
 * The first layer with a `from` that matches a file is its layer.
 * @type {Layer[]}
 */
export const layers = [
  { from: [BASE], to: [BASE], packages: [] },
  { from: data, to: [...data, "src/engine/passes/*/about.ts"], types: ["src/engine/"], packages: [] },
  { from: ["src/engine/"], to: ["src/engine/"], packages: [] },
  { from: client, to: [...client, "src/layout/alive.ts"], types: [...wireTypes, "src/worker/engine.ts"], packages: ["comlink"] },
  { from: ["src/worker/local.ts"], to: ["src/worker/", "src/publish/", "src/layout/elk/node.ts", "src/engine/api/"], packages: [] },
  {
    from: ["src/worker/"],
    to: ["src/worker/", "src/publish/", "src/layout/alive.ts", "src/layout/elk/browser.ts", "src/ownpass/requests.ts", "src/engine/api/"],
    types: ["src/layout/elk/elk.ts"],
    packages: ["comlink"],
  },
  { from: ["src/layout/"], to: ["src/layout/"], packages: ["elkjs"] },
  { from: ["src/links/"], to: ["src/links/"], packages: ["valibot", "fflate"] },
  { from: ["src/embed/"], to: ["src/embed/"], packages: [] },
  {
    from: ["src/offline/"],
    to: ["src/offline/"],
    packages: ["workbox-core", "workbox-precaching", "workbox-routing", "workbox-strategies"],
  },
  { from: ["src/player/"], to: ["src/player/", "src/publish/block-diff.ts"], types: ["src/publish/html/data.ts"], packages: [] },
  {
    from: ["src/publish/"],
    to: ["src/publish/", "src/layout/", "src/engine/api/view/reg-names.ts", ...data],
    types: wireTypes,
    packages: ["valibot"],
  },
  { from: ["src/ownpass/"], to: ["src/ownpass/", "src/engine/api/"], packages: ["valibot", "sucrase", "acorn"] },
  {
    from: ["src/box/"],
    to: ["src/box/", "src/ownpass/requests.ts"],
    types: ["src/ownpass/"],
    packages: ["@jitl/quickjs-wasmfile-release-sync", "@jitl/quickjs-ffi-types"],
  },
  {
    from: ["src/labs/"],
    to: ["src/labs/", "src/ownpass/", "src/engine/api/"],
    types: wireTypes,
    packages: [
      "valibot",
      "yaml",
      "@noble/hashes",
      "csv-parse",
      "csv-stringify",
      "mdast",
      "hast",
      "mdast-util-from-markdown",
      "mdast-util-gfm-table",
      "mdast-util-to-hast",
      "micromark-extension-gfm-table",
      "hast-util-sanitize",
      "hast-util-to-html",
    ],
  },
  {
    from: ["src/package/"],
    to: ["src/package/", "src/publish/", "src/layout/elk/node.ts", "src/engine/api/", "src/engine/ir/edit.ts", "src/engine/ir/visit.ts"],
    types: ["src/engine/"],
    packages: [],
  },
  {
    from: ["src/mcp/"],
    to: ["src/mcp/", "src/publish/block-diff.ts", "src/engine/api/", "src/cli/command.ts", "src/cli/io.ts"],
    packages: ["node:", "@modelcontextprotocol/sdk", "zod"],
  },
  {
    from: ["src/cli/"],
    to: [
      "src/cli/",
      "src/labs/",
      "src/ownpass/",
      "src/box/",
      "src/mcp/command.ts",
      "src/links/",
      "src/publish/",
      "src/layout/elk/node.ts",
      "src/engine/api/",
    ],
    packages: ["node:", "fflate"],
  },
  // The lab's own thread is the only code of the page that holds the engine's and the labs' code.
  { from: ["src/app/labs/lab.worker.ts"], to: ["src/labs/desk.ts"], packages: ["comlink"] },
  // So does that of Check and Compare for passes of one's own.
  { from: ["src/app/ownpass/check/check.worker.ts"], to: ["src/ownpass/check-bench.ts"], packages: ["comlink"] },
  {
    from: ["src/app/"],
    to: [
      "src/app/",
      "src/layout/",
      "src/links/",
      "src/embed/",
      ...client,
      // What a page needs to have a pass run in its sandbox; none of it brings the engine along.
      "src/ownpass/compile.ts",
      "src/ownpass/requests.ts",
      "src/ownpass/guest-worker-script.ts",
      "src/ownpass/templates.ts",
      // Made from the types of the API of passes: its pages in the handbook.
      "docs/pass-api.md",
      ...data,
    ],
    types: [...wireTypes, ...rowTypes, "src/publish/publish.ts", "src/ownpass/", "src/labs/"],
    packages: null,
  },
];

/**
 * The rooms of the engine, lowest first: a room imports those before it, types included. So the rooms form no circle.
 */
export const engineRooms = [
  ..."ir text trace remark structures analysis verify config interp passes pipeline".split(" "),
  ..."watch align import export fuzz futures ownpass api".split(" "),
];

/** The folders of the page, lowest first: each imports those before it. */
const pageFolders = "ui names session editor graph inspectors timeline commands shell".split(" ");

/** Features that only the lists of features may name: without their folder the rest goes on. They reach each other through `Feature`. */
export const pageFeatures = "sass bril tour handbook engines publish futures ownpass labs examples".split(" ");
export const featureLists = ["src/app/features.ts", "src/app/frame-features.ts"];
/** The same of languages: the rest knows them as `Reader`. */
export const languages = ["sass", "bril"];
export const languageLists = ["src/engine/api/read/readers.ts", "src/engine/api/read/importers.ts"];
/**
 * The features that one is built on. Labs: a pass that a student hands in is written in the tab of passes and runs in their sandbox.
 * @type {Record<string, string[]>}
 */
const featureNeeds = { labs: ["ownpass"] };

/**
 * Violations in one file, by line.
 * @param {string} file path from the repository's root, with `/`
 * @param {string} text
 * @returns {Violation[]}
 */
export function checkFile(file, text) {
  const layer = layers.find(({ from }) => from.some((path) => matches(file, path)));
  if (layer === undefined || isTest(file)) return [];
  const { program, errors } = parseSync(file, text);
  /** @type {Violation[]} */
  const violations = [];
  const report = (/** @type {number} */ start, /** @type {string} */ message) => {
    violations.push({ file, line: text.slice(0, start).split("\n").length, message });
  };
  for (const error of errors) report(error.labels[0]?.start ?? 0, `does not parse: ${error.message}`);
  for (const found of importsOf(program)) {
    const message = judge(file, layer, found);
    if (message !== null) report(found.start, message);
  }
  return violations.sort((a, b) => a.line - b.line);
}

/**
 * @param {string} file
 * @param {Layer} layer
 * @param {Import} found
 */
function judge(file, layer, { source, typeOnly }) {
  const own = layer.from.find((path) => matches(file, path));
  if (!source.startsWith(".")) {
    if (layer.packages === null) return null;
    const allowed = layer.packages.some((name) => source === name || source.startsWith(name.endsWith(":") ? name : `${name}/`));
    return allowed ? null : `${own} may not import the package ${source}`;
  }
  const target = posix.join(posix.dirname(file), source.replace(/[?#].*$/, ""));
  if (isTest(target)) return `imports ${target}, which only tests may use`;
  if (target.startsWith(BASE)) return null;
  const wrong = passesApart(file, target) ?? upwardsInEngine(file, target) ?? upwardsInPage(file, target);
  if (wrong !== null) return wrong;
  const allowed = [...layer.to, ...(typeOnly ? (layer.types ?? []) : [])];
  if (allowed.some((path) => matches(target, path))) return null;
  if (layer.types?.some((path) => matches(target, path)) === true) return `${own} may import ${target} with \`import type\` only`;
  return `${own} may not import ${target}`;
}

/**
 * @param {string} file
 * @param {string} target
 */
function upwardsInEngine(file, target) {
  const [own, other] = [file, target].map((path) => /^src\/engine\/([^/]+)\//.exec(path)?.[1]);
  if (own === undefined || other === undefined) return null;
  for (const room of [own, other]) if (!engineRooms.includes(room)) return `src/engine/${room}/ has no place among the engine's rooms`;
  const [reads, language = ""] = [file, target].map((path) => /^src\/engine\/import\/([^/]+)\//.exec(path)?.[1]);
  if (languages.includes(language) && reads !== language && !languageLists.includes(file)) return `only readers.ts may import ${target}`;
  return engineRooms.indexOf(own) < engineRooms.indexOf(other) ? `${own}/ lies below ${other}/ and may not import ${target}` : null;
}

/**
 * @param {string} file
 * @param {string} target
 */
function upwardsInPage(file, target) {
  if (!file.startsWith("src/app/")) return null;
  const [own, other] = [file, target].map((path) => /^src\/app\/([^/]+)\//.exec(path)?.[1] ?? "");
  if (own === undefined || other === undefined || own === other) return null;
  const mayName = featureLists.includes(file) || featureNeeds[own]?.includes(other) === true;
  if (pageFeatures.includes(other) && !mayName) return `only features.ts may import ${target}`;
  const rank = pageFolders.indexOf(own);
  return rank === -1 || rank >= pageFolders.indexOf(other) ? null : `app/${own}/ may not import ${target}`;
}

/** The bodies of passes that several families run. */
const SHARED = "shared";

/**
 * A pass family is a folder under passes/. What two of them share lives in passes/shared/, which imports no family, or in a layer below.
 * @param {string} file
 * @param {string} target
 */
function passesApart(file, target) {
  const own = /^src\/engine\/passes\/([^/]+)\//.exec(file)?.[1];
  const other = /^src\/engine\/passes\/([^/]+)\//.exec(target)?.[1];
  if (own === undefined || other === undefined || own === other || other === SHARED) return null;
  if (own === SHARED) return `what passes share may not import one of them (${other})`;
  return `a pass may not import another pass (${own} imports ${other}); share through passes/shared/ or a layer below`;
}

/**
 * In the order of the text.
 * @param {import("rolldown/utils").ParseResult["program"]} program
 * @returns {Import[]}
 */
export function importsOf(program) {
  /** @type {Import[]} */
  const found = [];
  /** @type {(node: { start: number, source: { type: string, value?: unknown } | null }, typeOnly: boolean) => void} */
  const add = ({ start, source }, typeOnly) => {
    if (typeof source?.value === "string") found.push({ source: source.value, typeOnly, start });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node, node.importKind === "type"),
    ExportNamedDeclaration: (node) => add(node, node.exportKind === "type"),
    ExportAllDeclaration: (node) => add(node, node.exportKind === "type"),
    ImportExpression: (node) => add(node, false),
    TSImportType: (node) => add(node, true),
  }).visit(program);
  return found;
}

/**
 * @param {string} file
 * @param {string} path a file, a folder ending in `/`, or a file with `*` for one folder
 */
function matches(file, path) {
  const [before, after] = path.split("*");
  if (before !== undefined && after !== undefined) {
    return file.startsWith(before) && file.endsWith(after) && !file.slice(before.length, file.length - after.length).includes("/");
  }
  return path.endsWith("/") ? file.startsWith(path) : file === path;
}

/** @param {string} file */
function isTest(file) {
  return /\.test\.tsx?$|\/(testing|fixtures)\//.test(file);
}
