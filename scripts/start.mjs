/**
 * `npm start`: installs what is missing, builds when the sources changed, serves the production build and prints its address.
 * `npm start -- [--port N] [--host ADDRESS] [--frames WHO]`; without --port (or PORT) the first free port from 4173 on. WHO may show the
 * page in a frame: * (usual), "'self'", "'none'" or addresses.
 */
import { parseArgs } from "node:util";
import { ensureBuilt } from "./lib/build.mjs";
import { freePort } from "./lib/free-port.mjs";
import { headers } from "./lib/headers.mjs";
import { root } from "./lib/root.mjs";

const usualPort = 4173;
const { host, port: askedPort, frames } = readArguments();

ensureBuilt();

const port = askedPort ?? (await freePort(usualPort, host));
const { preview } = await import("vite");
const server = await preview({
  root,
  logLevel: "warn",
  preview: { host, port, strictPort: true, open: false, headers: headers(frames) },
}).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    server.httpServer.close();
    process.exit(0);
  });
}
console.log(`\n  Oriscope is at http://${host === "0.0.0.0" || host === "::" ? "localhost" : host}:${port}/   (Ctrl+C stops it)\n`);

function readArguments() {
  try {
    const { values } = parseArgs({ options: { host: { type: "string" }, port: { type: "string" }, frames: { type: "string" } } });
    const text = values.port ?? process.env.PORT;
    const port = text === undefined || text === "" ? null : Number(text);
    if (port !== null && !(Number.isInteger(port) && port > 0 && port < 65536)) throw new Error(`not a port: ${text}`);
    const frames = values.frames ?? "*";
    if (!/^[\w.:/*' -]+$/.test(frames)) throw new Error(`not a list of addresses: ${frames}`);
    return { host: values.host ?? "127.0.0.1", port, frames };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nusage: npm start -- [--port N] [--host ADDRESS] [--frames WHO]`);
    process.exit(2);
  }
}
