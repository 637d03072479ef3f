/** A document of the repository as a part of a page. */
import { Marked } from "marked";

export interface Rendered {
  readonly html: string;
  /** The first heading. */
  readonly title: string;
  /** The first sentences, without marks; where there is none, what the document is. */
  readonly description: string;
}

/** `linkOf` gives the address of what a link in the document leads to; null: it is not on the site, so only its text is shown. */
export function render(markdown: string, linkOf: (href: string) => string | null): Rendered {
  const used = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor(inner, used)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = linkOf(href);
        return to === null ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`;
      },
      // Pictures of the documents are of the repository's own pages.
      image: () => "",
      // Wide tables scroll by themselves, also by keyboard.
      table({ header, rows, align }) {
        const cell = (tag: "th" | "td") => (item: (typeof header)[number], at: number) => {
          const side = align[at] ?? null;
          return `<${tag}${side === null ? "" : ` class="${side}"`}>${this.parser.parseInline(item.tokens)}</${tag}>`;
        };
        const head = header.some(({ text }) => text.trim() !== "") ? `<thead><tr>${header.map(cell("th")).join("")}</tr></thead>` : "";
        const body = rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("\n");
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const text = markdown.replace(/<!--[\s\S]*?-->\n*/g, "");
  const title = plain(/^# +(.+)$/m.exec(text)?.[1] ?? "");
  return {
    html: marked.parse(text, { async: false }),
    title,
    description: shortened(plain(paragraph(text)) || `${title} of Oriscope.`),
  };
}

/** The first paragraph that is neither a heading, a list, a table nor code. */
function paragraph(text: string): string {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const found = prose.split(/\n{2,}/).find((part) => part.trim() !== "" && !/^\s*(?:[#|>-]|\d+\.|!\[)/.test(part)) ?? "";
  return found.replace(/\s+/g, " ");
}

function shortened(text: string): string {
  if (text.length <= 160) return text;
  return `${text.slice(0, 157).replace(/\s+\S*$/, "")}…`;
}

const plain = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .trim();

/** As code hosts make them, so that links into documents lead there. */
function anchor(inner: string, used: Map<string, number>): string {
  const base = inner
    .replace(/<[^>]*>|&[a-z]+;|&#\d+;/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  const times = used.get(base) ?? 0;
  used.set(base, times + 1);
  return times === 0 ? base : `${base}-${times}`;
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
