/** A plugin for Rolldown and Vite: `virtual:player` is the exported file's script, bundled, with its hash and its style sheet. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const resolved = "\0virtual:player";
const folder = join(root, "src", "player");

/** @returns {import("rolldown").Plugin} */
export function playerPlugin() {
  return {
    name: "oriscope:player",
    resolveId: { filter: { id: /^virtual:player$/ }, handler: () => resolved },
    load: {
      filter: { id: /virtual:player$/ },
      async handler() {
        for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file));
        const { script, modules } = await bundle();
        for (const file of modules) this.addWatchFile(file);
        const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
        const style = readFileSync(join(folder, "player.css"), "utf8")
          .replace(/\/\*[\s\S]*?\*\//g, "")
          .replace(/\s+/g, " ")
          .trim();
        return Object.entries({ PLAYER_SCRIPT: script, PLAYER_HASH: hash, PLAYER_STYLE: style })
          .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
          .join("\n");
      },
    },
  };
}

async function bundle() {
  const { rolldown } = await import("rolldown");
  const bundler = await rolldown({ input: join(folder, "player.ts"), cwd: root, platform: "browser", logLevel: "silent" });
  try {
    const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
    const [chunk] = output;
    const script = chunk.code.trim();
    if (/<\/script|<!--/i.test(script)) throw new Error("the player's script would end its own element");
    return { script, modules: chunk.moduleIds.filter((id) => !id.startsWith("\0")) };
  } finally {
    await bundler.close();
  }
}
