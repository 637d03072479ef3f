/**
 * Bundles a TypeScript entry for Node: sources are inlined with source maps next to them, packages stay imports. Each dynamic import becomes a separate file.
 * Names have hashes, so that a process that runs a former bundle finds the parts that it has not loaded yet.
 */
import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { root } from "./root.mjs";

/** Names of the files written into `folder`, the bundle's own first. Rejects when the sources do not parse or resolve. */
export async function bundleForNode(
  entry: string,
  folder: string,
  plugins: readonly Plugin[] = [],
): Promise<readonly [bundle: string, ...parts: string[]]> {
  const bundler = await rolldown({
    input: join(root, entry),
    cwd: root,
    platform: "node",
    external: (id) => !/^[./\0]|^[A-Za-z]:[\\/]/.test(id),
    plugins: [...plugins],
    logLevel: "silent",
  });
  try {
    const names = "[name]-[hash].mjs";
    const { output } = await bundler.write({ dir: folder, format: "esm", sourcemap: true, entryFileNames: names, chunkFileNames: names });
    const [bundle, ...parts] = output;
    return [bundle.fileName, ...parts.map(({ fileName }) => fileName)];
  } finally {
    await bundler.close();
  }
}
