/**
 * Which file may import which. The `tsconfig.json` of a layer names the layers that it imports, but the compiler also lets it import what those
 * name, and any file, package and kind of import: these rules tell them apart. A test may import anything, but one of the page's folders no feature.
 * Our own: dependency-cruiser tells values from types without TypeScript's API, which TypeScript 7 lacks, only from version 18 on, which needs Node 22.
 */
import { posix } from "node:path";
import { type ParseResult, parseSync, Visitor } from "rolldown/utils";

/**
 * What the files `from` may import besides each other and src/base; what `types` names with `import type` only. Each is a list of words:
 * regular expressions for a file or folder under src/, or for a package.
 */
interface Row {
  readonly from: string;
  readonly to?: string;
  readonly types?: string;
  readonly packages?: string;
}

/** The rooms of the engine, lowest first. Above them are the features' parts in it. */
export const engineRooms = [
  ..."ir text trace remark structures analysis verify config interp passes pipeline".split(" "),
  ..."watch import export fuzz api".split(" "),
];
/** The folders of the page, lowest first. Above them are its features, and the files around the folders. */
export const pageFolders = [
  ..."ui names session share work embed opening offline outline".split(" "),
  ..."editor graph inspectors timeline compare commands shell".split(" "),
];

/** Features, each with those that it builds on. The core knows them by the lists in features/ alone: without a folder and its lines the rest goes on. */
export const features: Readonly<Record<string, readonly string[]>> = {
  sass: [],
  bril: [],
  tour: [],
  handbook: [],
  engines: [],
  publish: [],
  futures: [],
  ownpass: [],
  // A pass that a student hands in is written in the tab of passes and runs in their sandbox.
  labs: ["ownpass", "futures"],
  examples: [],
  mcp: ["publish"],
};

/** Data without code that both sides of the wire have: what the passes say about themselves, kinds, defaults. */
const data = "engine/(trace/kinds|pipeline/defaults|api/defaults|passes/about|passes/abouts).ts";
/** The page's end of the wire, without the engine. */
const client =
  "worker/(question|core-questions|questions|veil|veiled-engine|threads|spawn|text-edit|first-answers|life|packed-view|client).ts " +
  "features/([^/]+/)?questions.ts";
// The plain data that crosses the wire. Types vanish when compiled, so naming them moves no code between the layers.
const wireTypes = "engine/api engine/trace/event.ts features/[^/]+/engine";
// The rows of the structures that a pass shows: a renamed field is then a type error in its drawing.
const rowTypes = "engine/passes/(shared/)?[^/]+/rows.ts";

/** The first row with a `from` that names a file or a folder around it is the file's. */
const rows: readonly Row[] = [
  { from: "base" },
  { from: data, to: "engine/passes/[^/]+/about.ts", types: "engine" },
  { from: `engine/(${engineRooms.join("|")})`, to: "features/importers.ts" },
  {
    from: `(${client.replaceAll(" ", "|")})`,
    to: `${client} layout/alive.ts`,
    types: `${wireTypes} worker/engine.ts`,
    packages: "comlink",
  },
  { from: "worker", to: "features/(parts|local-parts|questions).ts layout/alive.ts engine/api", packages: "comlink" },
  { from: "layout", packages: "elkjs" },
  { from: "links", packages: "valibot fflate" },
  { from: "embed" },
  { from: "offline", packages: "workbox-core workbox-precaching workbox-routing workbox-strategies" },
  {
    from: "package",
    to: "features/(ownpass|publish)/engine features/importers.ts layout/elk/node.ts engine/api engine/ir/edit.ts engine/ir/visit.ts",
    types: "engine",
  },
  { from: "cli", to: "features/(commands|cli-parts|damaged|importers).ts links engine/api", packages: "node:.* fflate" },

  // The lists of features. Those of the page are among its files.
  { from: "features/(readers|importers).ts", to: "features/[^/]+/engine engine/import/ptx/ptx.ts", types: wireTypes },
  { from: "features/(parts|local-parts).ts", to: "features/(readers|importers|parts).ts features/[^/]+/engine", types: wireTypes },
  { from: "features/(commands|cli-parts|damaged).ts", to: "cli features/[^/]+/cli" },

  {
    from: "features/publish/player",
    to: "layout/picture.ts features/publish/engine/(block-diff|html/metrics).ts",
    types: "features/publish/engine/html/data.ts",
  },
  {
    from: "features/publish/engine",
    to: `layout engine/api/(view/reg-names|core-session).ts ${data}`,
    types: wireTypes,
    packages: "valibot",
  },
  { from: "features/ownpass/engine", to: "engine features/importers.ts", packages: "valibot sucrase acorn" },
  {
    from: "features/ownpass/box",
    to: "features/ownpass/engine/check/requests.ts",
    types: "features/ownpass/engine",
    packages: "@jitl/quickjs-wasmfile-release-sync @jitl/quickjs-ffi-types",
  },
  {
    from: "features/labs/engine",
    to: "features/[^/]+/engine features/importers.ts engine/api",
    types: "engine/trace/event.ts",
    packages:
      "valibot yaml @noble/hashes csv-parse csv-stringify mdast hast mdast-util-from-markdown mdast-util-gfm-table mdast-util-to-hast " +
      "micromark-extension-gfm-table hast-util-sanitize hast-util-to-html",
  },
  { from: "features/[^/]+/engine", to: "engine" },
  { from: "features/[^/]+/link", to: "links", packages: "fflate" },
  {
    from: "features/[^/]+/cli",
    to: "cli features/[^/]+/(cli|engine|box|link) links layout/elk/node.ts engine/api",
    packages: "node:.* @modelcontextprotocol/sdk zod fflate",
  },
  // These two threads are the only code of the page that holds code of the engine, the labs and what checks passes.
  { from: "features/labs/page/lab.worker.ts", to: "features/labs/engine/desk.ts", packages: "comlink" },
  { from: "features/ownpass/page/check/check.worker.ts", to: "features/ownpass/engine/check/check-bench.ts", packages: "comlink" },
  {
    from: `(app/(${pageFolders.join("|")}|[^/]+\\.tsx?)|features/([^/]+/page|page.ts|frame.ts))`,
    // Of `ownpass` what a page needs to have a pass run in its sandbox, which brings no engine along. The handbook shows pass-api.md.
    to:
      `app features/(page|frame).ts features/[^/]+/(page|link) layout links embed ${client} ${data} ../docs/pass-api.md ` +
      "features/ownpass/engine/check/(compile|requests|guest-worker-script|templates).ts",
    types: `${wireTypes} ${rowTypes}`,
    packages: ".*",
  },
];

/** A test, or what only tests use. */
const TEST = /\.test\.tsx?$|\/(testing|fixtures)\//;

/** The tests of the page's folders, which pass without features. */
const PAGE_TEST = new RegExp(`^app/(?:testing|${pageFolders.join("|")})/`);

/** Imports, written `file -> target`, that no row can allow, except those in `unless`. `\\1` repeats the first group, as in any regular expression. */
const forbidden: readonly { arrow: string; unless?: readonly string[]; why: string }[] = [
  { arrow: `.* -> .*(${TEST.source})`, why: "only tests may import it" },
  ...inOrder("engine", engineRooms),
  ...inOrder("app", pageFolders),
  { arrow: "(app|features)/[^/]+/.* -> features/(page|frame).ts", why: "only the page's entries may import its features" },
  { arrow: "app/[^/]+/.* -> app/[^/]+\\.tsx?$", why: "the files around the folders lie above them" },
  {
    arrow: "engine/passes/[^/]+/.* -> engine/passes/[^/]+/",
    unless: ["(engine/passes/[^/]+/).* -> \\1", ".* -> engine/passes/shared/"],
    why: "passes share through passes/shared/, which imports none, or a layer below",
  },
  {
    arrow: "(?!features/|package/).* -> features/[^/]+/",
    why: "only the lists in features/ name a feature",
  },
  {
    arrow: "features/([^/]+)/.* -> features/(?!\\1/)[^/]+/",
    unless: Object.entries(features).map(([id, needs]) => `features/${id}/.* -> features/(${needs.join("|") || "-"})/`),
    why: "features reach each other through `Feature`, unless one needs the other",
  },
];

/** A folder imports those before it in the list, types included: so they form no circle. */
function inOrder(layer: string, folders: readonly string[]) {
  return folders.map((folder, at) => ({
    arrow: `${layer}/${folder}/.* -> ${layer}/(${folders.slice(at + 1).join("|")})/`,
    why: `${folder}/ lies below it`,
  }));
}

/** Violations in one file, by line. `file`: path from the repository's root, with `/`. */
export function checkFile(file: string, text: string): { file: string; line: number; message: string }[] {
  const path = posix.relative("src", file);
  const isTest = TEST.test(file);
  if (path.startsWith("../") || (isTest && !PAGE_TEST.test(path))) return [];
  const row = rows.find(({ from }) => names(from, path));
  if (row === undefined && !isTest) return [{ file, line: 1, message: "has no row in the layer rules" }];
  return importsOf(parseSync(file, text).program).flatMap((found) => {
    const message = isTest || row === undefined ? refusalInTest(path, found) : refusal(path, row, found);
    return message === null ? [] : [{ file, line: text.slice(0, found.start).split("\n").length, message }];
  });
}

/** Why a test may not import what it does, or null. */
function refusalInTest(file: string, { source }: Import): string | null {
  const target = targetOf(file, source);
  return /^features\/[^/]+\//.test(target) ? `may not import ${target}: tests of the page's folders pass without features` : null;
}

/** The same of any other file. */
function refusal(file: string, row: Row, { source, typeOnly }: Import): string | null {
  if (!source.startsWith(".")) return names(row.packages, source) ? null : `may not import the package ${source}`;
  const target = targetOf(file, source);
  const matches = (arrow: string) => new RegExp(`^${arrow}`).test(`${file} -> ${target}`);
  const rule = forbidden.find(({ arrow, unless }) => matches(arrow) && unless?.some(matches) !== true);
  if (rule !== undefined) return `may not import ${target}: ${rule.why}`;
  if (names(`base ${row.from} ${row.to ?? ""}`, target) || (typeOnly && names(row.types, target))) return null;
  return names(row.types, target) ? `may import ${target} with \`import type\` only` : `may not import ${target}`;
}

const targetOf = (file: string, source: string): string => posix.join(posix.dirname(file), source.replace(/[?#].*$/, ""));

/** Whether one of the words is the path or a folder around it. */
function names(words: string | undefined, path: string): boolean {
  return words?.split(" ").some((word) => new RegExp(`^${word}(/|$)`).test(path)) === true;
}

interface Import {
  readonly source: string;
  readonly typeOnly: boolean;
  readonly start: number;
}

/** In the order of the text. */
export function importsOf(program: ParseResult["program"]): Import[] {
  const found: Import[] = [];
  const add = ({ start, source }: { start: number; source: { type: string; value?: unknown } | null }, typeOnly: boolean) => {
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
