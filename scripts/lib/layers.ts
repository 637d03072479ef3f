/**
 * Which file may import which. The `tsconfig.json` of a layer names the layers that it imports, but the compiler also lets it import what those
 * name, and any file, package and kind of import: these rules tell them apart. A test may import anything, but one of the page's folders no feature.
 */
import { posix } from "node:path";
import { type ParseResult, parseSync, Visitor } from "rolldown/utils";

/**
 * What the files `from` may import besides each other and src/base/; what `types` names with `import type` only. Each is a list of words:
 * regular expressions for a file or folder under src/, or for a package.
 */
interface Row {
  readonly from: string;
  readonly to?: string;
  readonly types?: string;
  readonly packages?: string;
}

/** The rooms of the engine, lowest first. */
export const engineRooms = [
  ..."ir text trace remark structures analysis verify config interp passes pipeline".split(" "),
  ..."watch align import export fuzz futures ownpass api".split(" "),
];
/** The folders of the page, lowest first. Above them are its features, and the files around the folders. */
export const pageFolders = [
  ..."ui names session share work embed opening offline outline".split(" "),
  ..."editor graph inspectors timeline compare commands shell".split(" "),
];

/** Features that only the lists of features may name: without their folder the rest goes on. They reach each other through `Feature`. */
export const pageFeatures = "sass bril tour handbook engines publish futures ownpass labs examples".split(" ");
export const featureLists = ["app/features.ts", "app/frame-features.ts"];
/** The same of languages: the rest knows them as `Reader`. */
export const languages = ["sass", "bril"];
export const languageLists = ["engine/api/read/readers.ts", "engine/api/read/importers.ts"];

/** Data without code that both sides of the wire have: what the passes say about themselves, kinds, defaults. */
const data = "engine/(trace/kinds|pipeline/defaults|api/defaults|passes/about|passes/abouts).ts";
/** The page's end of the wire, without the engine. */
const client = "worker/(questions|veil|veiled-engine|threads|spawn|text-edit|first-answers|life|packed-view|client).ts";
// The plain data that crosses the wire. Types vanish when compiled, so naming them moves no code between the layers.
const wireTypes = "engine/api engine/trace/event.ts";
// The rows of the structures that a pass shows: a renamed field is then a type error in its drawing.
const rowTypes = "engine/passes/(shared/)?[^/]+/rows.ts";

/** The first row with a `from` that names a file or a folder around it is the file's. */
const rows: readonly Row[] = [
  { from: "base" },
  { from: data, to: "engine/passes/[^/]+/about.ts", types: "engine" },
  { from: `engine/(${engineRooms.join("|")})` },
  { from: client, to: "layout/alive.ts", types: `${wireTypes} worker/engine.ts`, packages: "comlink" },
  { from: "worker/local.ts", to: "worker publish layout/elk/node.ts engine/api" },
  {
    from: "worker",
    to: "publish layout/alive.ts layout/elk/browser.ts ownpass/requests.ts engine/api",
    types: "layout/elk/elk.ts",
    packages: "comlink",
  },
  { from: "layout", packages: "elkjs" },
  { from: "links", packages: "valibot fflate" },
  { from: "embed" },
  { from: "offline", packages: "workbox-core workbox-precaching workbox-routing workbox-strategies" },
  { from: "player", to: "layout/picture.ts publish/block-diff.ts publish/html/metrics.ts", types: "publish/html/data.ts" },
  { from: "publish", to: `layout engine/api/view/reg-names.ts ${data}`, types: wireTypes, packages: "valibot" },
  { from: "ownpass", to: "engine/api", packages: "valibot sucrase acorn" },
  { from: "box", to: "ownpass/requests.ts", types: "ownpass", packages: "@jitl/quickjs-wasmfile-release-sync @jitl/quickjs-ffi-types" },
  {
    from: "labs",
    to: "ownpass engine/api",
    types: "engine/trace/event.ts",
    packages:
      "valibot yaml @noble/hashes csv-parse csv-stringify mdast hast mdast-util-from-markdown mdast-util-gfm-table mdast-util-to-hast " +
      "micromark-extension-gfm-table hast-util-sanitize hast-util-to-html",
  },
  { from: "package", to: "publish layout/elk/node.ts engine/api engine/ir/edit.ts engine/ir/visit.ts", types: "engine" },
  { from: "mcp", to: "publish/block-diff.ts engine/api", packages: "node:.* @modelcontextprotocol/sdk zod" },
  { from: "cli", to: "labs ownpass box mcp/serve.ts links publish layout/elk/node.ts engine/api", packages: "node:.* fflate" },
  // These two threads are the only code of the page that holds code of the engine, the labs and what checks passes.
  { from: "app/labs/lab.worker.ts", to: "labs/desk.ts", packages: "comlink" },
  { from: "app/ownpass/check/check.worker.ts", to: "ownpass/check-bench.ts", packages: "comlink" },
  {
    from: `app/(${[...pageFolders, ...pageFeatures].join("|")}|[^/]+\\.tsx?)`,
    // Of `ownpass` what a page needs to have a pass run in its sandbox, which brings no engine along. The handbook shows pass-api.md.
    to: `layout links embed ${client} ownpass/(compile|requests|guest-worker-script|templates).ts ${data} ../docs/pass-api.md`,
    types: `${wireTypes} ${rowTypes} publish/publish.ts ownpass labs`,
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
  { arrow: "app/[^/]+/.* -> app/[^/]+\\.tsx?$", why: "the files around the folders lie above them" },
  {
    arrow: "engine/passes/[^/]+/.* -> engine/passes/[^/]+/",
    unless: ["(engine/passes/[^/]+/).* -> \\1", ".* -> engine/passes/shared/"],
    why: "passes share through passes/shared/, which imports none, or a layer below",
  },
  {
    arrow: `app/.* -> app/(${pageFeatures.join("|")})/`,
    // A pass that a student hands in to a lab is written in the tab of passes and runs in their sandbox.
    unless: ["(app/[^/]+/).* -> \\1", ...featureLists, "app/labs/.* -> app/ownpass/"],
    why: "only features.ts and frame-features.ts may import it; features reach each other through `Feature`",
  },
  {
    arrow: `engine/.* -> engine/import/(${languages.join("|")})/`,
    unless: ["(engine/import/[^/]+/).* -> \\1", ...languageLists],
    why: "only readers.ts and importers.ts may import it; the rest knows languages as `Reader`",
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
  return names(`app/(${pageFeatures.join("|")})`, target)
    ? `may not import ${target}: tests of the page's folders pass without features`
    : null;
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
