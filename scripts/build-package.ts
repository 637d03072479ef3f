/**
 * Builds what an installed package runs into dist-lib/: the command, the library and its declarations. Of the third-party packages only ELK is not
 * bundled, which is as large as all the rest and only needed to lay out graphs: it is the package's one dependency, loaded on first use.
 * Bundled third-party software is listed with its licence next to it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, normalize, relative } from "node:path";
import { rolldown } from "rolldown";
import { generate } from "./generate/modules.ts";
import { root } from "./lib/root.mjs";
import { renderNotices } from "./vite/notices.ts";
import { type PackageFolder, packageOf, readNotice } from "./vite/packages.ts";

const folder = join(root, "dist-lib");
const types = join(folder, "types");
/** What a declaration imports: the words before, and the module with the quote after it. */
const named = /^((?:import|export)\b[^"]*\bfrom "|import "|.*\bimport\(")([^"]+")/gm;

const isInstalled = (id: string): boolean => isBuiltin(id) || id === "elkjs";

await generate();
rmSync(folder, { recursive: true, force: true });
const declared = declare();
await bundle({
  cli: join(root, "src", "cli", "main.ts"),
  index: join(root, "src", "package", "index.ts"),
  pass: join(root, "src", "package", "pass.ts"),
});
await declared;

async function bundle(input: Record<string, string>): Promise<void> {
  const used = new Map<string, PackageFolder>();
  const bundler = await rolldown({
    input,
    cwd: root,
    platform: "node",
    external: isInstalled,
    plugins: [
      {
        name: "oriscope:notices",
        moduleParsed({ id }) {
          const found = packageOf(id);
          if (found !== null) used.set(found.folder, found);
        },
      },
    ],
  });
  const { output } = await bundler.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundler.close();
  for (const chunk of output) {
    if (chunk.type !== "chunk") continue;
    const left = [...chunk.imports, ...chunk.dynamicImports].filter((id) => !isInstalled(id) && !output.some((o) => o.fileName === id));
    if (left.length > 0) throw new Error(`${chunk.fileName} still needs ${left.join(", ")}`);
  }
  const notices = [...used.values()].map(readNotice).sort((a, b) => a.name.localeCompare(b.name, "en"));
  writeFileSync(join(folder, "THIRD_PARTY_NOTICES.txt"), renderNotices(notices));
}

/** Only the declarations of the library and of what they name; they import each other as JavaScript files, as Node requires. */
async function declare(): Promise<void> {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const made = spawn(process.execPath, [compiler, "-p", join(root, "src", "package", "tsconfig.types.json")], {
    cwd: root,
    stdio: "inherit",
  });
  const [code] = await once(made, "exit");
  if (code !== 0) process.exit(1);
  const texts = new Map<string, string>();
  const reach = (file: string): void => {
    if (texts.has(file)) return;
    const text = readFileSync(file, "utf8");
    texts.set(
      file,
      text.replace(named, (whole, before: string, source: string) =>
        source.startsWith(".") ? `${before}${source.replace(/\.ts"$/, '.js"')}` : whole,
      ),
    );
    for (const [, , quoted = ""] of text.matchAll(named)) {
      const source = quoted.slice(0, -1);
      if (!source.startsWith(".")) throw new Error(`${relative(types, file)} names the package ${source}`);
      reach(normalize(join(dirname(file), source.replace(/\.ts$/, ".d.ts"))));
    }
  };
  for (const entry of ["index", "pass"]) reach(join(types, "package", `${entry}.d.ts`));
  rmSync(types, { recursive: true });
  for (const [file, text] of texts) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
