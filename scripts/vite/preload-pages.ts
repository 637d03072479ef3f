/**
 * Lists in index.html what the entry loads immediately for any of its pages, so that it is fetched together with the entry and not
 * after it. What only one of them needs follows as soon as the entry knows which. What each of them loads itself as it starts is named as well.
 */
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/** `modules` are the ends of the paths of the modules of which the entry imports one, `next` of those that each of these imports. */
export function preloadPages(modules: readonly string[], next: readonly string[]): Plugin {
  return {
    name: "oriscope:preload-pages",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (bundle === undefined) return [];
        const chunks = Object.values(bundle).filter((c): c is Rolldown.OutputChunk => c.type === "chunk");
        const byFile = new Map(chunks.map((c) => [c.fileName, c]));
        const needsOf = (module: string): ReadonlySet<Rolldown.OutputChunk> => {
          const start = chunks.find((c) => c.moduleIds.some((id) => id.replaceAll("\\", "/").endsWith(module)));
          if (start === undefined) throw new Error(`no chunk holds ${module}`);
          const wanted = new Set([start]);
          for (const chunk of wanted) {
            for (const file of chunk.imports) {
              const next = byFile.get(file);
              if (next !== undefined) wanted.add(next);
            }
          }
          return wanted;
        };
        const [needs, later] = [modules.map(needsOf), next.map(needsOf)];
        const shared = chunks.filter((chunk) => needs.every((one) => one.has(chunk)) || later.some((one) => one.has(chunk)));
        const tags: HtmlTagDescriptor[] = [];
        const add = (rel: string, file: string): void => {
          const href = `./${file}`;
          if (!html.includes(href)) tags.push({ tag: "link", attrs: { rel, crossorigin: true, href }, injectTo: "head" });
        };
        for (const chunk of shared) {
          add("modulepreload", chunk.fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) add("stylesheet", style);
        }
        return tags;
      },
    },
  };
}
