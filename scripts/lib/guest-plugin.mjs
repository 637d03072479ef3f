/** A plugin for Rolldown and Vite: `virtual:pass-guest` is the program that runs a pass's code in a realm of its own, bundled. */
import { join } from "node:path";
import { root } from "./root.mjs";

const resolved = "\0virtual:pass-guest";
const entry = join(root, "src", "ownpass", "guest.ts");

/** @returns {import("rolldown").Plugin} */
export function guestPlugin() {
  return {
    name: "oriscope:pass-guest",
    resolveId: { filter: { id: /^virtual:pass-guest$/ }, handler: () => resolved },
    load: {
      filter: { id: /virtual:pass-guest$/ },
      async handler() {
        const { script, modules } = await bundle();
        for (const file of modules) this.addWatchFile(file);
        return `export const GUEST_SCRIPT = ${JSON.stringify(script)};`;
      },
    },
  };
}

async function bundle() {
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
