/** Writes embed.js next to the page: one classic script, so that any page may load it from another host. */
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Plugin } from "vite";
import { root } from "../lib/root.mjs";

export function embedScript(): Plugin {
  return {
    name: "oriscope:embed-script",
    apply: "build",
    async generateBundle() {
      const bundler = await rolldown({ input: join(root, "src", "embed", "embed.ts"), cwd: root, platform: "browser", logLevel: "silent" });
      const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
      await bundler.close();
      this.emitFile({ type: "asset", fileName: "embed.js", source: output[0].code });
    },
  };
}
