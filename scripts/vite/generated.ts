/** A plugin: the generated modules are written before anything is read, and again when a file changes while a server runs. */
import type { Plugin } from "vite";
import { generate } from "../generate/modules.ts";

export function generatedModules(): Plugin {
  let built = false;
  return {
    name: "oriscope:generated-modules",
    configResolved: ({ command }) => {
      built = command === "build";
    },
    async buildStart() {
      await generate({ built });
    },
    async watchChange() {
      await generate();
    },
  };
}
