/**
 * Writes pass-frame.html beside the page: the frame that passes of one's own run in. The page shows it sandboxed, with an origin of its own; its policy allows this one
 * script and workers made inside it, which may compile text, and nothing else: no network, no pictures, no frames.
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
  const input = join(root, "src", "app", "ownpass", "frame", "frame.ts");
  const bundler = await rolldown({ input, cwd: root, platform: "browser", logLevel: "silent" });
  const { output } = await bundler.generate({ format: "iife", minify: true, codeSplitting: false });
  await bundler.close();
  const script = output[0].code.trim();
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'unsafe-eval' blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Sandbox for passes</title>
</head>
<body>
<script>${script}</script>
</body>
</html>
`;
}
