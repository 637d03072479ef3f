/** The page's build: static files that work from any folder of any host. */
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { headers } from "./scripts/lib/headers.mjs";
import { root } from "./scripts/lib/root.mjs";
import { bundleReport } from "./scripts/vite/bundle-report.ts";
import { contentPolicy } from "./scripts/vite/content-policy.ts";
import { embedScript } from "./scripts/vite/embed-script.ts";
import { engineFiles } from "./scripts/vite/engine-files.ts";
import { generatedModules } from "./scripts/vite/generated.ts";
import { notices } from "./scripts/vite/notices.ts";
import { pageChunks } from "./scripts/vite/page-chunks.ts";
import { pageLibraries } from "./scripts/vite/page-libraries.ts";
import { passFrame } from "./scripts/vite/pass-frame.ts";
import { preloadPages } from "./scripts/vite/preload-pages.ts";
import { serviceWorker } from "./scripts/vite/service-worker.ts";

/** `npm start` prints what it does and its address. */
const checks = { pluginTimings: false };
/** So that V8 stores scripts with one byte for each character. */
const charset = "ascii";
const { page: pageNotices, worker: workerNotices } = notices();

/** Assets have the hash of their content in their names: a browser that has one need not ask for it again. */
const keptAssets: Plugin = {
  name: "kept-assets",
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      if (request.url?.includes("/assets/") === true) response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      next();
    });
  },
};

/** Without the line, which the default adds: the page's first script has a table of the names for each sheet. */
function classNameOf(name: string, file: string): string {
  return `${name}_${createHash("sha256").update(relative(root, file)).digest("hex").slice(0, 5)}`;
}

export default defineConfig({
  base: "./",
  // One page and no routes: what is not there is answered with 404, not with the page.
  appType: "mpa",
  // Its browser form asks the document, which the labs' worker does not have.
  resolve: { alias: { "decode-named-character-reference": join(root, "node_modules/decode-named-character-reference/index.js") } },
  preview: { headers: headers("*") },
  css: { modules: { generateScopedName: classNameOf } },
  plugins: [
    generatedModules(),
    react(),
    contentPolicy(),
    embedScript(),
    passFrame(),
    preloadPages(["src/app/page.tsx", "src/app/embed-page.tsx"], ["src/app/graph/graph-pane.tsx"]),
    pageNotices,
    engineFiles(),
    serviceWorker(workerNotices()),
    bundleReport(),
    keptAssets,
  ],
  worker: { format: "es", rolldownOptions: { checks, output: { charset } }, plugins: () => [pageLibraries(), workerNotices()] },
  build: {
    target: "es2023",
    // The largest chunk, Monaco, is loaded on demand; `npm run size` guards what is loaded at once.
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      checks,
      output: {
        charset,
        codeSplitting: {
          groups: [
            // The helper of dynamic imports has a file of its own: bundled with a lazy package, it would load that package at once.
            { name: "preload", test: /vite[\\/]preload-helper/, priority: 2 },
            {
              name: "monaco",
              test: /[\\/]node_modules[\\/]monaco-editor[\\/](?!esm[\\/]vs[\\/]languages[\\/]features[\\/]typescript[\\/])/,
              priority: 2,
            },
            // Comes when a pass is written, and with it its worker. A group takes what it needs along: Monaco itself is in the one above already.
            { name: "typescript", test: /[\\/]monaco-editor[\\/]esm[\\/]vs[\\/]languages[\\/]features[\\/]typescript[\\/]/, priority: 1 },
            { name: "flow", test: /[\\/]node_modules[\\/](@xyflow|d3-[a-z]+)[\\/]/, priority: 1 },
            { name: "react", test: /[\\/]node_modules[\\/](react|react-dom|scheduler|zustand|comlink)[\\/]/, priority: 1 },
            // What the entry needs must not come along: it would wait for all of this.
            { debugName: "page", name: pageChunks(), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
