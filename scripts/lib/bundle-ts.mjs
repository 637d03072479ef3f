/** Turns a TypeScript entry into a runnable bundle, kept until a source changes: Node 20 cannot run TypeScript by itself. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { guestPlugin } from "./guest-plugin.mjs";
import { knownBundle, nameOf } from "./known-bundle.mjs";
import { playerPlugin } from "./player-plugin.mjs";
import { cache, root } from "./root.mjs";
import { templatesPlugin } from "./templates-plugin.mjs";

/** @typedef {import("./known-bundle.mjs").Manifest} Manifest */

/** A process loads parts of its bundle when it first needs them: what was replaced stays for those that run a long time. */
const staleAfterMs = 24 * 3_600_000;

/**
 * Path of the bundle of `entry` (absolute path), in its own folder: what the sources import dynamically, and the packages only that needs, are loaded when it is
 * reached. Packages stay imports, sources are inlined, source maps lie beside them. Warm calls only compare the times and sizes of the sources. Rejects when the sources do not parse or resolve.
 * @param {string} entry
 * @param {string} [folder] where bundles are kept
 * @param {readonly import("rolldown").Plugin[]} [plugins] before the usual ones; they want a folder of their own
 */
export async function bundleTs(entry, folder = join(cache, "run"), plugins = []) {
  const slug = nameOf(entry);
  return knownBundle(entry, folder) ?? build(entry, folder, slug, join(folder, `${slug}.json`), plugins);
}

/**
 * @param {string} entry
 * @param {string} folder
 * @param {string} slug
 * @param {string} manifestFile
 * @param {readonly import("rolldown").Plugin[]} plugins
 */
async function build(entry, folder, slug, manifestFile, plugins) {
  const { rolldown } = await import("rolldown");
  const bundler = await rolldown({
    input: entry,
    cwd: root,
    platform: "node",
    // Everything that is not a file of ours stays an import, resolved from node_modules at run time.
    external: (id) => !/^[./\0]|^[A-Za-z]:[\\/]|^virtual:/.test(id),
    plugins: [...plugins, playerPlugin(), guestPlugin(), templatesPlugin()],
    logLevel: "silent",
  });
  const made = `${slug}.${process.pid}.${Date.now()}`;
  try {
    // Times are read before the sources: a file saved meanwhile makes the bundle stale, never wrongly fresh.
    const startedMs = Date.now();
    mkdirSync(folder, { recursive: true });
    const { output } = await bundler.write({
      dir: join(folder, made),
      format: "esm",
      sourcemap: true,
      entryFileNames: `${slug}.mjs`,
      chunkFileNames: "[name]-[hash].mjs",
    });
    const modules = new Set(output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])));
    for (const id of await bundler.watchFiles) modules.add(id);
    // Packages stay imports: which ones there are to import is part of it.
    const paths = [join(root, "package-lock.json"), ...modules].filter((id) => !id.startsWith("\0")).map((id) => id.replace(/\?.*$/, ""));
    const inputs = paths.flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return [];
      return [/** @type {Manifest["inputs"][number]} */ ([path, stat.mtimeMs > startedMs ? -1 : stat.mtimeMs, stat.size])];
    });
    const bundle = `${made}/${slug}.mjs`;
    writeWhole(manifestFile, JSON.stringify(/** @type {Manifest} */ ({ bundle, node: process.version, inputs })));
    sweep(folder, slug, made);
    return join(folder, bundle);
  } finally {
    await bundler.close();
  }
}

/**
 * Replaces a file in one go: another process reading it sees the old or the new one, never half.
 * @param {string} file
 * @param {string} text
 */
function writeWhole(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${createHash("sha1").update(text).digest("hex").slice(0, 8)}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/**
 * Deletes old bundles of the same entry, leaving young ones that another process may be about to load.
 * @param {string} folder
 * @param {string} slug
 * @param {string} keep
 */
function sweep(folder, slug, keep) {
  for (const file of readdirSync(folder)) {
    if (!file.startsWith(`${slug}.`) || file === keep || !/\.\d+(\.mjs(\.map)?)?$/.test(file)) continue;
    const path = join(folder, file);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > staleAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
