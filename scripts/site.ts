/**
 * `npm run site -- FOLDER [--address https://…/]`: the page with the handbook next to it, as static files for any folder of any host.
 * As `npm run release`, it replaces what it wrote there before and keeps the engines. With the address of the site it also writes
 * what needs full addresses: the sitemap, and the picture that other sites show.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../src/base/errors.ts";
import { ensureBuilt } from "./lib/build.mjs";
import { release } from "./lib/engines.ts";
import { fromCaller, root } from "./lib/root.mjs";
import { writeSite } from "./lib/site/site.ts";

const { folder, address } = readArguments();
ensureBuilt();
const stage = mkdtempSync(join(tmpdir(), "oriscope-site-"));
try {
  const { pages } = await writeSite(join(root, "dist"), stage, address);
  const { engines, lost } = release(stage, fromCaller(folder));
  for (const { id, version } of lost) console.error(`site: the files of engine ${version} (${id}) are gone; it is no longer listed`);
  const kept = engines.length === 1 ? "1 engine" : `${engines.length} engines`;
  console.log(
    `${folder} contains the page, ${pages} pages of the handbook and ${kept}${address === null ? "; without --address it has no sitemap" : ""}.`,
  );
} catch (error) {
  console.error(`site: ${messageOf(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function readArguments(): { readonly folder: string; readonly address: string | null } {
  try {
    const { values, positionals } = parseArgs({ options: { address: { type: "string" } }, allowPositionals: true });
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0) throw new Error("one folder is needed");
    const address = values.address === undefined ? null : new URL(values.address);
    if (address !== null && !/^https?:$/.test(address.protocol)) throw new Error(`not the address of a site: ${values.address}`);
    return { folder, address: address === null ? null : address.href.replace(/\/?$/, "/") };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nusage: npm run site -- FOLDER [--address https://…/]`);
    return process.exit(2);
  }
}
