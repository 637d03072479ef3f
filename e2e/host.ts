/** A host of static files for tests: serves a folder at some path, as any host would. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const FOLDER = "/talks/2026/";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

export interface Host {
  readonly address: string;
  /** Stands between the disk and the answer for HTML and scripts: null is 404. */
  change: (file: string, text: string) => string | null;
  close(): void;
}

export async function host(folder = "dist"): Promise<Host> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const file = path === FOLDER ? "index.html" : path.startsWith(FOLDER) ? path.slice(FOLDER.length) : "..";
    let body: Buffer | string | null = null;
    try {
      body = file.includes("..") ? null : readFileSync(join(folder, file));
    } catch {
      // Not there.
    }
    if (body !== null && /\.(?:html|js)$/.test(file)) body = made.change(file, body.toString());
    if (body === null) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const made: Host = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${FOLDER}`,
    change: (_file, text) => text,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return made;
}
