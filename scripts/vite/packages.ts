/**
 * Which npm package a bundled module came from, for the third-party notices. Our own: rollup-plugin-license knows one bundle, not workers, fonts of
 * style sheets, or an engine inlined as data.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/root.mjs";

export type PackageFolder = { readonly name: string; readonly folder: string };

/** Packages whose code is inlined as data by scripts/generate/scripts.ts: the bundler sees no module of theirs. */
const ENGINE = "@jitl/quickjs-wasmfile-release-sync";

/** The innermost package that contains the module `id`, or null for our own sources and modules of a bundler. */
export function packageOf(id: string): PackageFolder | null {
  if (/\/(?:engine|worker)\.generated\.ts$/.test(id)) return { name: ENGINE, folder: join(root, "node_modules", ENGINE) };
  const path = id.replace(/^\0/, "").replace(/\?.*$/, "").replaceAll("\\", "/");
  const match = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(path);
  const [, parent, name] = match ?? [];
  return parent === undefined || name === undefined ? null : { name, folder: parent + name };
}

/** A package's licence and origin, from its own files. */
export type Notice = {
  readonly name: string;
  readonly version: string;
  /** SPDX expression from package.json. */
  readonly license: string;
  readonly homepage: string;
  /** Texts of the LICENSE, NOTICE and third-party files of the package. */
  readonly texts: readonly string[];
};

/** Reads the notice of one installed package. */
export function readNotice({ name, folder }: PackageFolder): Notice {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const field = (key: string): string => {
    const value = isRecord(manifest) ? manifest[key] : undefined;
    const text = isRecord(value) ? (value.url ?? value.type) : value;
    return typeof text === "string" ? text : "";
  };
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying|third-?party-?notices)/i.test(file))
    : [];
  return {
    name,
    version: field("version"),
    license: field("license") || "see below",
    homepage: (field("repository") || field("homepage")).replace(/^git\+/, ""),
    texts: files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim()),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
