/** The HTML to paste into your own page. */

interface Chosen {
  readonly theme: "light" | "dark" | null;
  readonly toolbar: "step" | "none";
  readonly height: number;
}

export function snippet(
  link: string,
  kind: "element" | "frame",
  { theme, toolbar, height }: Chosen,
  fragmentOf: (link: string, options: Pick<Chosen, "theme" | "toolbar">) => string,
): string {
  const at = link.indexOf("#");
  const page = link.slice(0, at);
  if (kind === "frame") {
    const address = `${page}#${fragmentOf(link.slice(at + 1), { theme, toolbar })}`;
    return `<iframe src="${attribute(address)}" title="Oriscope" loading="lazy"\n  style="width: 100%; height: ${height}px; border: 0"></iframe>\n`;
  }
  const said = [...(theme === null ? [] : [` theme="${theme}"`]), ...(toolbar === "step" ? [] : [` toolbar="${toolbar}"`])].join("");
  return (
    `<script src="${attribute(new URL("embed.js", page).href)}" defer></script>\n` +
    `<oriscope-view src="${attribute(link)}"${said} height="${height}"></oriscope-view>\n`
  );
}

const attribute = (text: string): string => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`);
