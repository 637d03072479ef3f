/** Names in index.html what the entry loads at once by itself, so that it is fetched together with the entry and not after it. */
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/** `module` is the end of the path of the module that the entry imports dynamically. */
export function preloadPage(module: string): Plugin {
  return {
    name: "oriscope:preload-page",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (bundle === undefined) return [];
        const chunks = Object.values(bundle).filter((c): c is Rolldown.OutputChunk => c.type === "chunk");
        const byFile = new Map(chunks.map((c) => [c.fileName, c]));
        const start = chunks.find((c) => c.moduleIds.some((id) => id.replaceAll("\\", "/").endsWith(module)));
        if (start === undefined) throw new Error(`no chunk holds ${module}`);
        const wanted = new Set([start]);
        for (const chunk of wanted) {
          for (const file of chunk.imports) {
            const next = byFile.get(file);
            if (next !== undefined) wanted.add(next);
          }
        }
        const tags: HtmlTagDescriptor[] = [];
        const add = (rel: string, file: string): void => {
          const href = `./${file}`;
          if (!html.includes(href)) tags.push({ tag: "link", attrs: { rel, crossorigin: true, href }, injectTo: "head" });
        };
        for (const chunk of wanted) {
          add("modulepreload", chunk.fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) add("stylesheet", style);
        }
        return tags;
      },
    },
  };
}
