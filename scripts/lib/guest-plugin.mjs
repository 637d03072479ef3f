/**
 * A plugin for Rolldown and Vite: `virtual:pass-guest` is the program that runs a pass's code in a realm of its own, bundled; `virtual:pass-guest-worker` is the same
 * as a worker of a page's sandboxed frame.
 */
import { join } from "node:path";
import { root } from "./root.mjs";

const PREFIX = "\0virtual:";
const ENTRIES = { "pass-guest": "guest.ts", "pass-guest-worker": "guest-worker.ts" };

/** @returns {import("rolldown").Plugin} */
export function guestPlugin() {
  return {
    name: "oriscope:pass-guest",
    resolveId: { filter: { id: /^virtual:pass-guest(-worker)?$/ }, handler: (id) => PREFIX + id.slice("virtual:".length) },
    load: {
      filter: { id: /virtual:pass-guest(-worker)?$/ },
      async handler(id) {
        const file = ENTRIES[/** @type {keyof typeof ENTRIES} */ (id.slice(PREFIX.length))];
        const { script, modules } = await bundle(join(root, "src", "ownpass", file));
        for (const module of modules) this.addWatchFile(module);
        return `export const GUEST_SCRIPT = ${JSON.stringify(script)};`;
      },
    },
  };
}

/** @param {string} entry */
async function bundle(entry) {
  const { rolldown } = await import("rolldown");
  const bundler = await rolldown({ input: entry, cwd: root, platform: "browser", logLevel: "silent" });
  try {
    const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
    const [chunk] = output;
    return { script: chunk.code.trim(), modules: chunk.moduleIds.filter((id) => !id.startsWith("\0")) };
  } finally {
    await bundler.close();
  }
}
