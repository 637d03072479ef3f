/**
 * Writes engines.json next to the page: the files of the engine, by the hash in its name. `npm run release` keeps them when a
 * newer page replaces this one. index.html tells the page which engine is its own.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { ENGINE_VERSION } from "../../src/engine/api/version.ts";
import { LIST, type ListedEngine, writeList } from "../lib/engines.ts";

const HOST = /^host-([\w-]{8})\.js$/;
/** What one script of ours imports of another, statically or as it runs, and the workers that it starts. */
const IMPORTED = /(?:(?:from|import)\s*\(?\s*["'`]\.\/|new URL\(\s*["'`])([\w.-]+\.js)["'`]/g;

export function engineFiles(): Plugin {
  let folder = "";
  return {
    name: "oriscope:engine-files",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      order: "post",
      sequential: true,
      handler() {
        const engine = builtEngine(join(folder, "assets"));
        if (engine === null) this.error("the build has no engine, or several");
        writeList(join(folder, LIST), [engine]);
        const page = join(folder, "index.html");
        const tag = `<meta name="oriscope-engine" content="${engine.id}" />`;
        writeFileSync(page, readFileSync(page, "utf8").replace("</head>", `  ${tag}\n  </head>`));
      },
    },
  };
}

/** The engine among the built scripts, with all that it loads. */
function builtEngine(assets: string): ListedEngine | null {
  const hosts = readdirSync(assets).filter((name) => HOST.test(name));
  const [host] = hosts;
  const id = host === undefined ? undefined : HOST.exec(host)?.[1];
  if (host === undefined || id === undefined || hosts.length > 1) return null;
  const files = new Set([host]);
  // A set's iteration also visits what is added meanwhile.
  for (const file of files) for (const [, name = ""] of readFileSync(join(assets, file), "utf8").matchAll(IMPORTED)) files.add(name);
  return { id, version: ENGINE_VERSION, files: [...files].map((name) => `assets/${name}`) };
}
