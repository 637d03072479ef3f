/** The handbook of the page as files: a page for every phase, structure, field, condition, opcode and knob, from the same entries. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_PIPELINE } from "../../../src/engine/api/defaults.ts";
import { EngineSession } from "../../../src/engine/api/session.ts";
import { type Block, ENTRY_KINDS, type Entry, type Inline, KIND_TITLES } from "../../../src/features/handbook/page/entry.ts";
import { type Handbook, handbookOf } from "../../../src/features/handbook/page/handbook-entries.ts";
import { fileOfProgram } from "../../../src/features/handbook/page/program-files.ts";
import { SHOWN_BY } from "../../../src/features/handbook/page/shown-by.ts";
import { linkOfEntry } from "../../../src/features/handbook/page/shown-link.ts";
import { encodeLink } from "../../../src/links/link-codec.ts";
import { root } from "../root.mjs";
import { escapeHtml } from "./markdown.ts";
import { type SitePage, wayTo } from "./template.ts";

export const REFERENCE_PATH = "handbook/reference/index.html";

export async function referencePages(): Promise<readonly SitePage[]> {
  const book = handbookOf(
    new EngineSession().handbook(DEFAULT_PIPELINE),
    SHOWN_BY,
    readFileSync(join(root, "docs", "pass-api.md"), "utf8"),
  );
  const links = await exampleLinks(book.entries);
  return [indexPage(book.entries), ...book.entries.map((entry) => entryPage(entry, book, links))];
}

/** By the page's id; pages of one program share what packing it takes. */
async function exampleLinks(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const packed = new Map<string, Promise<string>>();
  const links = new Map<string, string>();
  for (const entry of entries) {
    const data = linkOfEntry(entry, textOfProgram);
    if (data === null) continue;
    const key = JSON.stringify(data);
    const link = packed.get(key) ?? encodeLink(data);
    packed.set(key, link);
    links.set(entry.id, await link);
  }
  return links;
}

const textOfProgram = (id: string): string => readFileSync(join(root, "src", "engine", "passes", fileOfProgram(id)), "utf8");

/** `phase:49` is `phase/49.html`; characters that a file name should not contain become dashes. */
const pathOf = ({ id, kind }: Entry): string =>
  `handbook/reference/${kind}/${id
    .slice(kind.length + 1)
    .replace(/^\+/, "")
    .replace(/[^\w.]+/g, "-")}.html`;

function indexPage(entries: readonly Entry[]): SitePage {
  const lists = ENTRY_KINDS.map((kind) => {
    const items = entries
      .filter((entry) => entry.kind === kind)
      .map((entry) => `<li><a href="${wayTo(REFERENCE_PATH, pathOf(entry))}">${escapeHtml(entry.title)}</a>${named(entry)}</li>`);
    return `<h2>${KIND_TITLES[kind]}</h2>\n<ul class="list">\n${items.join("\n")}\n</ul>`;
  });
  const description = "A page for every phase, structure, field, condition, opcode and knob.";
  const body = `<h1>Reference</h1>\n<p>${description} In the explorer, F1 on anything opens its page.</p>\n${lists.join("\n")}`;
  return { path: REFERENCE_PATH, title: "Reference", description, body, live: false };
}

const named = ({ name }: Entry): string => (name === "" ? "" : ` <span class="quiet">${escapeHtml(name)}</span>`);

function entryPage(entry: Entry, book: Handbook, links: ReadonlyMap<string, string>): SitePage {
  const path = pathOf(entry);
  const link = links.get(entry.id);
  const shown = link === undefined ? "" : ` <a href="${wayTo(path, "")}#${link}">${escapeHtml(entry.example?.label ?? "")}</a>.`;
  const inline = (piece: Inline): string => {
    if (typeof piece === "string") return escapeHtml(piece);
    if ("code" in piece) return `<code>${escapeHtml(piece.code)}</code>`;
    const to = book.find(piece.to);
    return to === null ? escapeHtml(piece.text) : `<a href="${wayTo(path, pathOf(to))}">${escapeHtml(piece.text)}</a>`;
  };
  const body = [
    `<h1>${escapeHtml(entry.title)}</h1>`,
    `<p class="quiet">${KIND_TITLES[entry.kind]}${entry.name === "" ? "" : ` · ${escapeHtml(entry.name)}`}</p>`,
    `<p><a href="${wayTo(path, "")}?handbook=${encodeURIComponent(entry.id)}">Open in the explorer</a>.${shown}</p>`,
    ...entry.body().map((block) => blockHtml(block, inline)),
  ].join("\n");
  // Conditions of several phases share a title: the id distinguishes them.
  return { path, title: `${entry.title} (${entry.id})`, description: `${entry.title} ${entry.name}`.trim(), body, live: false };
}

function blockHtml(block: Block, inline: (piece: Inline) => string): string {
  const line = (pieces: readonly Inline[]): string => pieces.map(inline).join("");
  const table = (head: string, rows: readonly string[]): string =>
    `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
  switch (block.kind) {
    case "text":
      return `<p>${line(block.line)}</p>`;
    case "heading":
      return `<h2>${escapeHtml(block.text)}</h2>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${line(item)}</li>`).join("")}</ul>`;
    case "pairs":
      return table(
        "",
        block.rows.map(([what, pieces]) => `<tr><th scope="row">${escapeHtml(what)}</th><td>${line(pieces)}</td></tr>`),
      );
    case "table":
      return table(
        `<thead><tr>${block.head.map((cell) => `<th>${escapeHtml(cell)}</th>`).join("")}</tr></thead>`,
        block.rows.map((row) => `<tr>${row.map((cell) => `<td>${line(cell)}</td>`).join("")}</tr>`),
      );
    case "code":
      return `<pre tabindex="0"><code>${block.lines
        .map((text, i) => (block.numbered ? `<span class="line">${String(i + 1).padStart(3)}</span>  ` : "") + escapeHtml(text))
        .join("\n")}</code></pre>`;
  }
}
