/**
 * A plugin for Rolldown and Vite with what runs passes of one's own: `virtual:pass-guest` is the program inside the box, bundled; `virtual:pass-engine` the engine that
 * it runs in, metered; `virtual:pass-worker` a page's worker with both.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { meterWasm } from "./meter-wasm.mjs";
import { root } from "./root.mjs";

const PREFIX = "\0virtual:";
const ENGINE = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
/** Bytes of calls inside each other, in a browser's worker, whose stack has at least 500 KiB. The meter's figure is above the real one. */
const MOST_DEPTH = 600_000;

/** @returns {import("rolldown").Plugin} */
export function guestPlugin() {
  return {
    name: "oriscope:pass-guest",
    resolveId: { filter: { id: /^virtual:pass-(guest|engine|worker)$/ }, handler: (id) => PREFIX + id.slice("virtual:".length) },
    load: {
      filter: { id: /^\0virtual:pass-(guest|engine|worker)$/ },
      async handler(id) {
        if (id.endsWith("engine")) return `export const ENGINE = ${JSON.stringify(await engine())};`;
        const entry = id.endsWith("guest") ? join("ownpass", "guest.ts") : join("box", "worker.ts");
        const { script, modules } = await bundle(join(root, "src", entry));
        for (const module of modules) this.addWatchFile(module);
        return `export const ${id.endsWith("guest") ? "GUEST" : "WORKER"}_SCRIPT = ${JSON.stringify(script)};`;
      },
    },
  };
}

async function engine() {
  const metered = meterWasm(await readFile(ENGINE), { mostDepth: MOST_DEPTH });
  return (await promisify(deflate)(metered, { level: 9 })).toString("base64");
}

/** @param {string} entry */
async function bundle(entry) {
  const { rolldown } = await import("rolldown");
  const bundler = await rolldown({ input: entry, cwd: root, platform: "browser", plugins: [guestPlugin()], logLevel: "silent" });
  try {
    const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
    const [chunk] = output;
    return { script: chunk.code.trim(), modules: chunk.moduleIds.filter((id) => !id.startsWith("\0")) };
  } finally {
    await bundler.close();
  }
}
