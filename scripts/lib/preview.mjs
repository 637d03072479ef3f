/** The production build, served as static files on its own port. */
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { freePort } from "./free-port.mjs";
import { root } from "./root.mjs";

const START_MS = 60_000;

/**
 * Builds what has changed and serves it; `stop` ends the server. With `built`, a folder that is served unchanged.
 * @param {{ built?: string }} [options] @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function servePreview({ built } = {}) {
  if (built === undefined) ensureBuilt();
  const folder = built === undefined ? [] : ["--outDir", resolve(root, built)];
  const port = await freePort(4720, "127.0.0.1");
  const url = `http://127.0.0.1:${port}/`;
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const address = ["--host", "127.0.0.1", "--port", String(port), "--strictPort"];
  const server = spawn(process.execPath, [vite, "preview", ...folder, ...address], { cwd: root, stdio: "ignore" });
  const stop = () => {
    server.kill();
  };
  const began = Date.now();
  while (!(await answers(url))) {
    if (Date.now() - began > START_MS) {
      stop();
      throw new Error("The preview server did not start.");
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, stop };
}

/** @param {string} url */
function answers(url) {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}
