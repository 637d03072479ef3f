/** What all pages of the handbook have: head, way around, foot. Addresses are relative, so that the site works in any folder. */
import { escapeHtml } from "./markdown.ts";

export interface SitePage {
  /** From the site's top: `handbook/phases/gvn-cse.html`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** HTML of its main part, heading included. */
  readonly body: string;
  /** Holds embedded steps. */
  readonly live: boolean;
}

/** Links of the head of every page: title and path from the top. */
const WAYS: readonly (readonly [title: string, path: string])[] = [
  ["Explorer", ""],
  ["Handbook", "handbook/index.html"],
  ["Phases", "handbook/phases/index.html"],
  ["Examples", "handbook/examples.html"],
  ["Labs", "handbook/labs/index.html"],
];

/** The relative way from one page to another path of the site. */
export function wayTo(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1);
  const parts = to.split("/");
  let same = 0;
  while (same < folders.length && same < parts.length - 1 && folders[same] === parts[same]) same++;
  const way = [...folders.slice(same).map(() => ".."), ...parts.slice(same)].join("/");
  return way === "" ? "./" : way;
}

/** `address`: where the site will be, ending in `/`; null: not known, so nothing names it. */
export function pageHtml({ path, title, description, body, live }: SitePage, address: string | null): string {
  const to = (target: string): string => escapeHtml(wayTo(path, target));
  const policy = `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'${live ? "; script-src 'self'; frame-src 'self'; style-src-attr 'unsafe-inline'" : ""}`;
  const full = title === "Handbook" ? "Handbook · Oriscope" : `${title} · Oriscope handbook`;
  return `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(full)}</title>
<meta name="description" content="${escapeHtml(description)}">
${socialTags(full, description, address, path)}
<link rel="icon" href="${to("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to("handbook/handbook.css")}">
${live ? `<script src="${to("embed.js")}" defer></script>\n` : ""}</head>
<body>
<header><nav aria-label="Site">${WAYS.map(([name, target]) => way(name, to(target), target === path)).join(" ")}</nav></header>
<main>
${body}
</main>
</body>
</html>
`;
}

const way = (name: string, href: string, here: boolean): string => `<a href="${href}"${here ? ' aria-current="page"' : ""}>${name}</a>`;

/** What other sites show of a page that is linked there. They take whole addresses only. */
export function socialTags(title: string, description: string, address: string | null, path: string): string {
  const tag = (property: string, content: string): string => `<meta property="og:${property}" content="${escapeHtml(content)}">`;
  const tags = [tag("type", "website"), tag("site_name", "Oriscope"), tag("title", title), tag("description", description)];
  if (address !== null) {
    tags.push(tag("url", `${address}${path}`), tag("image", `${address}social.png`), tag("image:alt", "A control-flow graph in Oriscope"));
    tags.push('<meta name="twitter:card" content="summary_large_image">', `<link rel="canonical" href="${escapeHtml(address + path)}">`);
  }
  return tags.join("\n");
}

export function sitemap(paths: readonly string[], address: string): string {
  const urls = paths.map((path) => `<url><loc>${escapeHtml(address + path)}</loc></url>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}
