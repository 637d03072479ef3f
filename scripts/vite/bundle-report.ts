/** Records what each chunk contains and loads, for the size check: node_modules/.cache/oriscope/bundle.json. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "vite";
import { bundleReportFile } from "../lib/root.mjs";
import { packageOf } from "./packages.ts";

/** One script of the page. */
export type ChunkReport = {
  readonly file: string;
  readonly isEntry: boolean;
  /** Files loaded together with this one. */
  readonly imports: readonly string[];
  /** Files loaded by this one as it runs. */
  readonly dynamicImports: readonly string[];
  readonly styles: readonly string[];
  /** Names of the npm packages with code in it. */
  readonly packages: readonly string[];
};

export function bundleReport(): Plugin {
  return {
    name: "oriscope:bundle-report",
    apply: "build",
    writeBundle(_options, bundle) {
      const chunks: ChunkReport[] = [];
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const packages = new Set(chunk.moduleIds.flatMap((id) => packageOf(id)?.name ?? []));
        chunks.push({
          file: chunk.fileName,
          isEntry: chunk.isEntry,
          imports: chunk.imports,
          dynamicImports: chunk.dynamicImports,
          styles: [...(chunk.viteMetadata?.importedCss ?? [])],
          packages: [...packages].sort(),
        });
      }
      mkdirSync(dirname(bundleReportFile), { recursive: true });
      writeFileSync(bundleReportFile, `${JSON.stringify(chunks, null, 2)}\n`);
    },
  };
}
