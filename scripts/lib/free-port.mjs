/** Finds a free port. */
import { createServer } from "node:net";

/**
 * The first port from `first` upwards that can be listened on at `host`; 0 asks the system for any.
 * @param {number} first
 * @param {string} host
 * @returns {Promise<number>}
 */
export async function freePort(first, host) {
  for (let port = first; port < first + 100; port++) {
    const got = await tryPort(port, host);
    if (got !== null) return got;
  }
  throw new Error(`no free port from ${first} to ${first + 99} at ${host}`);
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number | null>}
 */
function tryPort(port, host) {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") done(null);
      else fail(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : null));
    });
  });
}
