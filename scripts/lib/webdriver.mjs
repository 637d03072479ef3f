/**
 * A browser driven from outside by its own driver: Firefox by WebDriver BiDi, which it supports itself, WebKitGTK by
 * WebKitWebDriver on its own display. Keys and clicks are real ones. Our own, for the browsers of a distribution's packages.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.mjs";

/**
 * @typedef {object} Driver
 * @property {string} name
 * @property {(url: string) => Promise<void>} go
 * @property {(script: string) => Promise<unknown>} evaluate the value of an expression in the page; a promise is waited for
 * @property {(actions: readonly object[]) => Promise<void>} perform sources of input, as both protocols write them
 * @property {() => Promise<void>} close
 */
/** @typedef {{ type: "success", result: { value: string } } | { type: "exception", exceptionDetails: { text: string } }} Evaluated */
/** @typedef {{ readonly id?: number, readonly result?: unknown, readonly error?: string, readonly message?: string }} Answer */

const SIZE = { width: 1440, height: 900 };
const START_MS = 60_000;

/** Path of a program, or null. @param {readonly string[]} names */
function find(names) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/Applications/Firefox.app/Contents/MacOS"];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** What is installed, by name; each starts a browser with an empty profile. @returns {{ name: string, start: () => Promise<Driver> }[]} */
export function installedEngines() {
  const engines = [];
  const firefox = process.env.FIREFOX_PATH ?? find(["firefox-esr", "firefox"]);
  if (firefox !== null) engines.push({ name: "Firefox", start: () => startFirefox(firefox) });
  const webkit = find(["WebKitWebDriver"]);
  const display = find(["Xvfb"]);
  if (webkit !== null && display !== null) engines.push({ name: "WebKitGTK", start: () => startWebKit(webkit, display) });
  return engines;
}

/** @param {string} path @returns {Promise<Driver>} */
async function startFirefox(path) {
  const profile = mkdtempSync(join(tmpdir(), "oriscope-firefox-"));
  const browser = spawn(path, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, MOZ_HEADLESS_WIDTH: String(SIZE.width), MOZ_HEADLESS_HEIGHT: String(SIZE.height) },
  });
  const end = async () => {
    await ended(browser);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const address = await said(browser.stderr, /WebDriver BiDi listening on (ws:\S+)/);
    const socket = new WebSocket(`${address}/session`);
    await heard(socket, "open");
    /** @type {Map<number, (answer: Answer) => void>} */
    const waiting = new Map();
    socket.addEventListener("message", ({ data }) => {
      /** @type {Answer} */
      const answer = JSON.parse(String(data));
      if (answer.id === undefined) return;
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    let last = 0;
    /** @param {string} method @param {object} params */
    const send = async (method, params) => {
      const id = ++last;
      /** @type {Answer} */
      const answer = await new Promise((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      });
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error}: ${answer.message}`);
      return answer.result;
    };
    const session = /** @type {{ capabilities: { browserVersion: string } }} */ (await send("session.new", { capabilities: {} }));
    const { contexts } = /** @type {{ contexts: { context: string }[] }} */ (await send("browsingContext.getTree", {}));
    const context = contexts[0]?.context;
    await send("browsingContext.setViewport", { context, viewport: SIZE });
    return {
      name: `Firefox ${session.capabilities.browserVersion}`,
      async go(url) {
        await send("browsingContext.navigate", { context, url, wait: "complete" });
      },
      async evaluate(script) {
        const expression = `Promise.resolve(${script}).then((value) => JSON.stringify(value ?? null))`;
        const answer = /** @type {Evaluated} */ (await send("script.evaluate", { expression, target: { context }, awaitPromise: true }));
        if (answer.type !== "success") throw new Error(`${answer.exceptionDetails.text} in ${script}`);
        return JSON.parse(answer.result.value);
      },
      async perform(actions) {
        await send("input.performActions", { context, actions });
      },
      async close() {
        socket.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** @param {string} path @param {string} xvfb @returns {Promise<Driver>} */
async function startWebKit(path, xvfb) {
  const screen = spawn(xvfb, ["-displayfd", "1", "-screen", "0", `${SIZE.width}x${SIZE.height}x24`, "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  /** @type {import("node:child_process").ChildProcess | null} */
  let driver = null;
  const end = async () => {
    if (driver !== null) await ended(driver);
    await ended(screen);
  };
  try {
    const display = await said(screen.stdout, /^(\d+)$/);
    const port = await freePort(4800, "127.0.0.1");
    const env = { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
    driver = spawn(path, [`--port=${port}`, "--host=127.0.0.1"], { stdio: "ignore", env });
    const base = `http://127.0.0.1:${port}`;
    /** @param {string} method @param {string} at @param {object} [body] */
    const call = async (method, at, body) => {
      const answer = await fetch(`${base}${at}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      const { value } = await answer.json();
      if (!answer.ok) throw new Error(`${at}: ${value?.error}: ${value?.message}`);
      return value;
    };
    await retried(() => call("GET", "/status"));
    const { sessionId, capabilities } = await call("POST", "/session", { capabilities: {} });
    const session = `/session/${sessionId}`;
    await call("POST", `${session}/timeouts`, { script: START_MS, pageLoad: START_MS });
    await call("POST", `${session}/window/rect`, { x: 0, y: 0, ...SIZE });
    return {
      name: `WebKitGTK ${capabilities.browserVersion}`,
      async go(url) {
        await call("POST", `${session}/url`, { url });
      },
      evaluate: (script) =>
        call("POST", `${session}/execute/async`, {
          script: `const done = arguments[0]; Promise.resolve(${script}).then((value) => done(value ?? null), (error) => done(String(error)));`,
          args: [],
        }),
      async perform(actions) {
        await call("POST", `${session}/actions`, { actions });
      },
      async close() {
        await call("DELETE", session);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The first group of the first line that matches. @param {import("node:stream").Readable} stream @param {RegExp} pattern */
async function said(stream, pattern) {
  const lines = createInterface({ input: stream });
  const late = setTimeout(() => lines.close(), START_MS);
  for await (const line of lines) {
    const found = pattern.exec(line);
    if (found?.[1] === undefined) continue;
    clearTimeout(late);
    // Output from here on is not read, and must not fill the pipe.
    stream.resume();
    return found[1];
  }
  throw new Error(`It did not say ${pattern} within ${START_MS / 1000} s.`);
}

/** @param {WebSocket} socket @param {string} event */
function heard(socket, event) {
  return new Promise((resolve, reject) => {
    socket.addEventListener(event, resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("the browser does not answer")), { once: true });
  });
}

/** @template T @param {() => Promise<T>} attempt */
async function retried(attempt) {
  const began = Date.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() - began > START_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @param {import("node:child_process").ChildProcess} child */
async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill();
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await gone;
  clearTimeout(late);
}
