/** Bundled scripts that run elsewhere, as texts: the exported file's player, and what runs user passes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { rolldown } from "rolldown";
import { root } from "../lib/root.mjs";
import { meterWasm } from "./meter-wasm.mjs";

const QUICKJS = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
/** Bytes of calls inside each other, in a browser's worker, whose stack has at least 500 KiB. The meter's figure is above the real one. */
const MOST_DEPTH = 600_000;

/** QuickJS, compiled to WebAssembly, with a meter put in, compressed and as Base64. */
export function passEngine(): string {
  const metered = meterWasm(readFileSync(QUICKJS), { mostDepth: MOST_DEPTH });
  return constants({ ENGINE: deflateSync(metered, { level: 9 }).toString("base64") });
}

/** The program inside the box. */
export const guestScript = async (): Promise<string> =>
  constants({ GUEST_SCRIPT: await bundled("src/features/ownpass/engine/check/guest.ts") });

/** A page's worker with a box in it. */
export const passWorker = async (): Promise<string> => constants({ WORKER_SCRIPT: await bundled("src/features/ownpass/box/worker.ts") });

/** The player, with its hash as a content policy names it, and its style sheet. */
export async function player(): Promise<string> {
  const script = await bundled("src/features/publish/player/player.ts");
  if (/<\/script|<!--/i.test(script)) throw new Error("the player's script would end its own element");
  const style = readFileSync(join(root, "src/features/publish/player/player.css"), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim();
  const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
  return constants({ PLAYER_SCRIPT: script, PLAYER_HASH: hash, PLAYER_STYLE: style });
}

async function bundled(entry: string): Promise<string> {
  const bundler = await rolldown({ input: join(root, entry), cwd: root, platform: "browser", logLevel: "silent" });
  try {
    const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
    return output[0].code.trim();
  } finally {
    await bundler.close();
  }
}

function constants(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `export const ${name}: string = ${JSON.stringify(text)};\n`)
    .join("");
}
