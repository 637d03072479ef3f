/**
 * Writes pass-frame.html next to the page: the frame that runs user passes. It contains a second one, sandboxed, with its own origin, whose text is part
 * of the file: a service worker answers for the first one, so that a page without a network has it, and for none that is sandboxed. The policy of both allows their
 * scripts and workers made inside, which may compile WebAssembly, and nothing else: no network, no pictures.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Plugin } from "vite";
import { root } from "../lib/root.mjs";

const FILE = "pass-frame.html";

export function passFrame(): Plugin {
  return {
    name: "oriscope:pass-frame",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: await page() });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${FILE}`, (_request, response, next) => {
        page().then((text) => {
          response.setHeader("Content-Type", "text/html; charset=utf-8");
          response.end(text);
        }, next);
      });
    },
  };
}

async function page(): Promise<string> {
  const script = await bundle("frame.ts");
  const inner = document("", [script]);
  const shell = (await bundle("shell.ts")).replace("__SANDBOX__", () => JSON.stringify(inner).replaceAll("</", "<\\/"));
  // The contents of the sandbox are also subject to the policy of the outer frame.
  return document(" for the sandbox", [shell], [script]);
}

/** `more`: additional scripts that the policy allows. */
function document(what: string, scripts: readonly string[], more: readonly string[] = []): string {
  const hashes = [...scripts, ...more].map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const policy = `default-src 'none'; script-src ${hashes.join(" ")} 'wasm-unsafe-eval' blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${what === "" ? "Sandbox for passes" : `Frame${what}`}</title>
</head>
<body>
${scripts.map((script) => `<script>${script}</script>`).join("\n")}
</body>
</html>
`;
}

async function bundle(file: string): Promise<string> {
  const input = join(root, "src/features/ownpass/page/frame", file);
  const bundler = await rolldown({ input, cwd: root, platform: "browser", logLevel: "silent" });
  const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
  await bundler.close();
  return output[0].code.trim();
}
