/** The address of an embedded frame: `#embed/v1.…`, or `#embed?theme=dark&toolbar=none&origin=https://blog.example/v1.…`. */

export interface EmbedOptions {
  /** null: as the reader's system has it. */
  readonly theme: "light" | "dark" | null;
  readonly toolbar: "step" | "none";
  /** The only origin that the frame speaks with; null: it speaks with none. */
  readonly origin: string | null;
}

const PLAIN: EmbedOptions = { theme: null, toolbar: "step", origin: null };

/** `link` is a fragment without `#`, such as `v1.…`; empty: the example that a fresh page shows. */
export function embedFragment(link: string, options: Partial<EmbedOptions> = {}): string {
  const { theme, toolbar, origin } = { ...PLAIN, ...options };
  const said = new URLSearchParams();
  if (theme !== null) said.set("theme", theme);
  if (toolbar !== PLAIN.toolbar) said.set("toolbar", toolbar);
  if (origin !== null) said.set("origin", origin);
  const query = said.toString();
  return `embed${query === "" ? "" : `?${query}`}/${link}`;
}

/** null if a fragment is not that of an embedded frame. Unknown words in it are ignored. */
export function readEmbed(fragment: string): { readonly options: EmbedOptions; readonly link: string } | null {
  const match = /^embed(?:\?([^/]*))?(?:\/([\s\S]*))?$/.exec(fragment.replace(/^#/, ""));
  if (match === null) return null;
  const said = new URLSearchParams(match[1] ?? "");
  const theme = said.get("theme");
  return {
    options: {
      theme: theme === "light" || theme === "dark" ? theme : null,
      toolbar: said.get("toolbar") === "none" ? "none" : "step",
      origin: originOf(said.get("origin")),
    },
    link: match[2] ?? "",
  };
}

/** An origin as browsers write it; anything else is none. */
function originOf(text: string | null): string | null {
  return text !== null && /^https?:\/\/[^/?#\s*]+$/.test(text) ? text : null;
}
