/** The pages of the handbook: documents of the repository, a page for each phase from the engine's own tables, the examples. */
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { DEFAULT_PIPELINE } from "../../../src/engine/api/defaults.ts";
import { EngineSession } from "../../../src/engine/api/session.ts";
import type { PhaseRow } from "../../../src/engine/api/types.ts";
import type { Pass } from "../../../src/engine/passes/pass.ts";
import { PASSES } from "../../../src/engine/passes/registry.ts";
import type { LineSpec, RuleTable } from "../../../src/engine/remark/rules.ts";
import { ROWS as BRIL } from "../../../src/features/bril/page/examples.ts";
import { BRANCHES } from "../../../src/features/examples/page/rows/branches.ts";
import { COMPILERS, CUDA, phaseOf } from "../../../src/features/examples/page/rows/cuda.ts";
import { FROM_C } from "../../../src/features/examples/page/rows/first.ts";
import { LOOPS } from "../../../src/features/examples/page/rows/loops.ts";
import { REDUNDANCY } from "../../../src/features/examples/page/rows/redundancy.ts";
import { SWITCHES } from "../../../src/features/examples/page/rows/switches.ts";
import { TAILS } from "../../../src/features/examples/page/rows/tails.ts";
import { encodeLink } from "../../../src/links/link-codec.ts";
import { EMPTY_LINK } from "../../../src/links/link-data.ts";
import { root } from "../root.mjs";
import { fixturesOf, linkOfFixture } from "./fixtures.ts";
import { LABS_PATH, labPages } from "./labs.ts";
import { escapeHtml, render } from "./markdown.ts";
import { REFERENCE_PATH, referencePages } from "./reference.ts";
import { type SitePage, wayTo } from "./template.ts";

/** Documents by their path in the repository, in the order of the index. */
const DOCUMENTS: readonly (readonly [source: string, path: string, group: string])[] = [
  ["docs/getting-your-code-in.md", "handbook/getting-your-code-in.html", "Using it"],
  ["src/engine/text/README.md", "handbook/language.html", "Using it"],
  ["src/features/bril/engine/README.md", "handbook/bril.html", "Using it"],
  ["docs/embed.md", "handbook/embed.html", "Using it"],
  ["docs/trace.md", "handbook/trace.html", "Using it"],
  ["docs/cli.md", "handbook/cli.html", "Using it"],
  ["docs/api.md", "handbook/api.html", "Using it"],
  ["docs/hosting.md", "handbook/hosting.html", "Using it"],
  ["docs/first-pass.md", "handbook/first-pass.html", "Writing a pass"],
  ["docs/own-pass.md", "handbook/own-pass.html", "Writing a pass"],
  ["docs/pass-api.md", "handbook/pass-api.html", "Writing a pass"],
  ["docs/ten-bugs.md", "handbook/ten-bugs.html", "Writing a pass"],
  ["docs/teaching.md", "handbook/teaching.html", "Teaching with it"],
  ["docs/fidelity.md", "handbook/fidelity.html", "How true it is"],
  ["docs/phases.md", "handbook/positions.html", "Tables"],
  ["docs/knobs.md", "handbook/knobs.html", "Tables"],
  ["docs/opcodes.md", "handbook/opcodes.html", "Tables"],
];

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly phase: string | null;
  readonly about: string;
  readonly look: string;
  readonly group: string;
}

const EXAMPLES: readonly Shown[] = [
  ...BRIL.map(([id, ...row]) => shown(`bril-${id}`, "First programs", row)),
  ...FROM_C.map(([id, ...row]) => shown(`c-${id}`, "From C", row)),
  ...LOOPS.map(([id, ...row]) => shown(id, "Loops", row)),
  ...BRANCHES.map(([id, ...row]) => shown(id, "Branches", row)),
  ...SWITCHES.map(([id, ...row]) => shown(id, "Switches", row)),
  ...REDUNDANCY.map(([id, ...row]) => shown(id, "Redundancy", row)),
  ...TAILS.map(([id, ...row]) => shown(id, "Tails and layout", row)),
  ...CUDA.flatMap(([file, title, phase]) =>
    COMPILERS.map(([suffix, compiler]) =>
      shown(`${file}.${suffix}`, "From CUDA", [`${title} · ${compiler}`, phaseOf(phase, suffix), `PTX of ${file.slice(3)}.cu.`, ""]),
    ),
  ),
];

function shown(id: string, group: string, [title, phase, about, look]: readonly [string, string | null, string, string, string?]): Shown {
  return { id, title, phase, about, look, group };
}

export async function handbook(): Promise<SitePage[]> {
  const rows = new Map(new EngineSession().phases(DEFAULT_PIPELINE).map((row) => [row.id, row]));
  const phases = await Promise.all(PASSES.map((pass) => phasePage(pass, rows)));
  const documents = DOCUMENTS.map(([source, path, group]) => ({ ...documentPage(source, path), group }));
  return [
    indexPage(documents),
    phasesPage(rows),
    ...phases,
    ...(await referencePages()),
    await examplesPage(rows),
    ...(await labPages(phaseLink)),
    ...documents,
  ];
}

function documentPage(source: string, path: string): SitePage {
  const { html, title, description } = render(readFileSync(join(root, source), "utf8"), (href) => linked(href, source, path));
  return { path, title, description, body: html, live: false };
}

/** Where a link of a document leads on the site; null: to a file that is not on it. */
function linked(href: string, source: string, path: string): string | null {
  if (/^https?:/.test(href) || href.startsWith("#")) return href;
  const [file = "", hash] = href.split("#");
  const target = posix.join(posix.dirname(source), file);
  const family = /^src\/engine\/passes\/([^/]+)(?:\/README\.md)?$/.exec(target)?.[1];
  const found =
    family !== undefined && PASSES.some((pass) => pass.family === family)
      ? phasePath(family)
      : target === "docs/trace.schema.json"
        ? "handbook/trace.schema.json"
        : DOCUMENTS.find(([own]) => own === target)?.[1];
  return found === undefined ? null : `${wayTo(path, found)}${hash === undefined ? "" : `#${hash}`}`;
}

/** The page of a phase by its id, from another page. */
function phaseLink(from: string, id: string): string | null {
  const family = PASSES.find((pass) => pass.ids.includes(id))?.family;
  return family === undefined ? null : wayTo(from, phasePath(family));
}

const phasePath = (family: string): string => `handbook/phases/${family}.html`;

function indexPage(documents: readonly (SitePage & { readonly group: string })[]): SitePage {
  const path = "handbook/index.html";
  const item = ({ path: to, title, description }: SitePage): string =>
    `<li><a href="${wayTo(path, to)}">${escapeHtml(title)}</a><br>${escapeHtml(description)}</li>`;
  const groups = [...new Set(documents.map(({ group }) => group))];
  const lists = groups.map(
    (group) =>
      `<h2>${group}</h2>\n<ul class="list">\n${documents
        .filter((one) => one.group === group)
        .map(item)
        .join("\n")}\n</ul>`,
  );
  const description =
    "How to bring programs into Oriscope, what each phase does and how faithful it is, and how to publish steps elsewhere.";
  const first = `<h1>Handbook</h1>\n<p>Oriscope runs a GPU control-flow optimizer in the browser, step by step, forwards and backwards. <a href="phases/index.html">Each phase</a> has a page with its rules and a program to step through, <a href="${wayTo(path, REFERENCE_PATH)}">each structure, field, condition, opcode and knob</a> one of its own, <a href="examples.html">each example</a> opens in the explorer, and <a href="${wayTo(path, LABS_PATH)}">the labs</a> are a course.</p>`;
  return { path, title: "Handbook", description, body: [first, ...lists].join("\n"), live: false };
}

function phasesPage(rows: ReadonlyMap<string, PhaseRow>): SitePage {
  const path = "handbook/phases/index.html";
  const line = ({ family, ids, summary }: Pass): string => {
    const places = ids.map((id) => place(rows.get(id), id)).join("<br>");
    return `<tr><td>${places}</td><td><a href="${family}.html">${escapeHtml(titleOf(family))}</a></td><td>${escapeHtml(summary)}</td></tr>`;
  };
  const body = `<h1>Modelled phases</h1>\n<p>The modelled phases, each with its position in the pipeline. <a href="../positions.html">All positions</a>.</p>\n<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th>runs as</th><th>phase</th><th>what it does</th></tr></thead><tbody>\n${PASSES.map(line).join("\n")}\n</tbody></table></div>`;
  return {
    path,
    title: "Modelled phases",
    description: "The modelled phases of the pipeline, what each does, and its rules.",
    body,
    live: false,
  };
}

const place = (row: PhaseRow | undefined, id: string): string => `${row?.number ?? row?.group ?? ""} ${escapeHtml(row?.name ?? id)}`.trim();

function readme(family: string): string | null {
  const file = join(root, "src", "engine", "passes", family, "README.md");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

const titleOf = (family: string): string => /^# +(.+)$/m.exec(readme(family) ?? "")?.[1] ?? family;

async function phasePage(pass: Pass, rows: ReadonlyMap<string, PhaseRow>): Promise<SitePage> {
  const { family, ids, summary, rules, pseudocode } = pass;
  const path = phasePath(family);
  const source = `src/engine/passes/${family}/README.md`;
  const { html } = render(readme(family) ?? `# ${family}\n`, (href) => linked(href, source, path));
  const [heading = "", rest = ""] = html.split(/(?<=<\/h1>\n)/);
  const knobs = [...new Set(ids.flatMap((id) => rows.get(id)?.knobs ?? []))];
  const runs = ids.map((id) => `${place(rows.get(id), id)} <code>${id}</code>`).join(", ");
  const told = `<p>${escapeHtml(summary)}</p>\n<p>Runs as ${runs}.${knobs.length === 0 ? "" : ` Knobs: ${knobs.map(escapeHtml).join(", ")}.`}</p>`;
  const own = EXAMPLES.filter(({ phase }) => phase !== null && ids.includes(phase));
  const live = await liveExample(path, ids, own, family);
  const list = own.length === 0 ? "" : `<h2>Examples</h2>\n${await exampleList(path, own, rows)}`;
  const body = [heading, told, live, rest, rulesHtml(rules, pseudocode), list].join("\n");
  return { path, title: titleOf(family), description: summary, body, live: live !== "" };
}

/** A program in which the phase does something, to be stepped through on the page. */
async function liveExample(path: string, ids: readonly string[], own: readonly Shown[], family: string): Promise<string> {
  const [first] = own;
  const link = first === undefined ? await fixtureLink(family, ids) : await linkOf(first);
  return link === null ? "" : `<oriscope-view src="${wayTo(path, "")}#${link}" title="A program at this phase"></oriscope-view>`;
}

const linkOf = ({ id, title, phase }: Shown): Promise<string> =>
  encodeLink({ ...EMPTY_LINK, example: id, title, phase, ...(phase === null ? {} : { step: -1 }) });

/** The first fixture of the family in which it fires, as written: its phase alone, with the fixture's options. */
async function fixtureLink(family: string, ids: readonly string[]): Promise<string | null> {
  const found = fixturesOf(family).filter(({ said }) => ids.includes(said("phase")[0] ?? "") && !said("expect").includes("does not fire"));
  // One that needs no options is the simplest.
  const plain = found.find(({ said }) =>
    ["knob", "before", "policy", "target", "level", "no-phase"].every((key) => said(key).length === 0),
  );
  const chosen = plain ?? found[0];
  return chosen === undefined ? null : linkOfFixture(chosen);
}

/** The pseudocode, with what is decided at each line where the family has a table. */
function rulesHtml(rules: RuleTable | undefined, pseudocode: readonly string[]): string {
  const lines = pseudocode.map((text, i) => `<span class="line">${String(i + 1).padStart(3)}</span>  ${escapeHtml(text)}`).join("\n");
  const code = `<h2>Pseudocode</h2>\n<pre tabindex="0"><code>${lines}</code></pre>`;
  const reasons = Object.values(rules ?? {}).flatMap((rule) =>
    rule.reasons.map(
      ({ name, condition, why, droppable }) =>
        `<tr><td>${rule.line}</td><td><code>${escapeHtml(condition)}</code></td><td>${sentenceOf(rule.spec, name, why)}</td><td>${escapeHtml(droppable ?? "")}</td></tr>`,
    ),
  );
  if (reasons.length === 0) return code;
  return `${code}\n<h2>What it refuses</h2>\n<p>Each row gives the pseudocode line, the name of the condition in the steps, its message, and, for conditions that preserve the program's meaning, what goes wrong without them.</p>\n<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th>line</th><th>condition</th><th>message</th><th>without it</th></tr></thead><tbody>\n${reasons.join("\n")}\n</tbody></table></div>`;
}

/** The sentence about a refused candidate; what is inserted for each is in italics. */
function sentenceOf(spec: LineSpec, name: string, why: string): string {
  const say = spec.missed?.[name]?.say ?? why;
  return escapeHtml(say).replace(/\{(\w+)(?::([^}|]*)(?:\|[^}]*)?)?\}/g, (_, hole: string, word: string | undefined) =>
    word === undefined || KINDS.has(word) ? `<i>${hole}</i>` : word,
  );
}

/** The kinds of content that a hole may declare; anything else after its name are words for a count. */
const KINDS: ReadonlySet<string> = new Set(["inst", "block", "reg", "insts", "blocks", "regs"]);

async function examplesPage(rows: ReadonlyMap<string, PhaseRow>): Promise<SitePage> {
  const path = "handbook/examples.html";
  const groups = [...new Set(EXAMPLES.map(({ group }) => group))];
  const lists = await Promise.all(
    groups.map(
      async (group) =>
        `<h2>${group}</h2>\n${await exampleList(
          path,
          EXAMPLES.filter((one) => one.group === group),
          rows,
        )}`,
    ),
  );
  const body = `<h1>Examples</h1>\n<p>Each example opens in the explorer at the phase it demonstrates.</p>\n${lists.join("\n")}`;
  return { path, title: "Examples", description: "Programs to step through, by what they show.", body, live: false };
}

async function exampleList(path: string, examples: readonly Shown[], rows: ReadonlyMap<string, PhaseRow>): Promise<string> {
  const items = await Promise.all(
    examples.map(async (one) => {
      const href = `${wayTo(path, "")}#${await linkOf(one)}`;
      const at = one.phase === null ? "" : ` <span class="quiet">${escapeHtml(rows.get(one.phase)?.name ?? one.phase)}</span>`;
      return `<li><a href="${href}">${escapeHtml(one.title)}</a>${at}<br>${escapeHtml(`${one.about} ${one.look}`.trim())}</li>`;
    }),
  );
  return `<ul class="list">\n${items.join("\n")}\n</ul>`;
}
