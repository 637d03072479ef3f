/** Writes THIRD_PARTY_NOTICES.txt next to the built page: every package that went into it, with its licence text. */
import { join } from "node:path";
import type { Plugin } from "vite";
import { root } from "../lib/root.mjs";
import { type Notice, type PackageFolder, packageOf, readNotice } from "./packages.ts";

/** Two plugins sharing one list: the page's own, which writes the file, and one for the workers, which are bundled apart. */
export function notices(): { readonly page: Plugin; readonly worker: () => Plugin } {
  const used = new Map<string, PackageFolder>();
  const collect = (id: string): void => {
    const found = packageOf(id);
    if (found !== null) used.set(found.folder, found);
  };
  return {
    page: {
      name: "oriscope:notices",
      apply: "build",
      moduleParsed: (module) => collect(module.id),
      generateBundle(_options, bundle) {
        // Faces come by addresses in style sheets, not by imports.
        for (const output of Object.values(bundle))
          if (output.type === "asset") for (const file of output.originalFileNames) collect(join(root, file));
        const list = [...used.values()].map(readNotice).sort((a, b) => a.name.localeCompare(b.name, "en"));
        this.emitFile({ type: "asset", fileName: "THIRD_PARTY_NOTICES.txt", source: renderNotices(list) });
      },
    },
    worker: () => ({ name: "oriscope:notices-worker", apply: "build", moduleParsed: (module) => collect(module.id) }),
  };
}

/** The file's text. */
export function renderNotices(list: readonly Notice[]): string {
  const rule = "=".repeat(100);
  const sections = list.map((notice) =>
    [
      `${notice.name} ${notice.version}`,
      `Licence: ${notice.license}`,
      ...(notice.homepage === "" ? [] : [`Source: ${notice.homepage}`]),
      ...notice.texts.map((text) => `\n${text}`),
    ].join("\n"),
  );
  return `${["Oriscope contains the following software by others, each under the licence printed with it.", ...sections].join(`\n\n${rule}\n\n`)}\n`;
}
