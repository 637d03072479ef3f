/**
 * Writes sw.js next to the page: the service worker with the list of all files of this build. The files' names and hashes are known here,
 * so Workbox's own build tool, which includes its own compiler, is not needed.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import type { Plugin } from "vite";
import { root } from "../lib/root.mjs";

/** Where the script expects the list, as Workbox's tools have it. */
const PLACE = "self.__WB_MANIFEST";

export interface ListedFile {
  readonly url: string;
  /** null: the name contains the content's hash. */
  readonly revision: string | null;
}

/** `notice` is called with every module that goes into the script. */
export function serviceWorker(notice: Plugin): Plugin {
  let folder = "";
  let script = "";
  return {
    name: "oriscope:service-worker",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async buildStart() {
      const bundler = await rolldown({
        input: join(root, "src", "offline", "service-worker.ts"),
        cwd: root,
        platform: "browser",
        logLevel: "silent",
        transform: { define: { "process.env.NODE_ENV": '"production"' } },
        plugins: [notice],
      });
      const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
      await bundler.close();
      script = output[0].code;
      if (script.split(PLACE).length !== 2) this.error(`the service worker is to name ${PLACE} once`);
    },
    // After everything else is on the disk, also what was only copied there.
    writeBundle: {
      order: "post",
      sequential: true,
      handler() {
        writeFileSync(
          join(folder, "sw.js"),
          script.replace(PLACE, () => JSON.stringify(listFiles(folder))),
        );
      },
    },
  };
}

/** Files of the page that the browser stores. */
export function listFiles(folder: string): ListedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((url) => !APART.has(url) && !LATER.test(url))
    .sort()
    .map((url) => ({ url, revision: HASHED.test(url) ? null : hashOf(join(folder, url)) }));
}

/** The script itself; what only other sites load; what changes while the page stays. */
const APART: ReadonlySet<string> = new Set(["sw.js", "embed.js", "social.png", "engines.json"]);
/** As large as everything else together, and only for users who write passes: stored on first use. */
const LATER = /^assets\/ts\.worker-/;
const HASHED = /^assets\/.*-[\w-]{8}\.\w+$/;

const hashOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
