import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { expect, test } from "@playwright/test";

test("the server says what is missing, what files are, and who may show the page in a frame", async ({ request }) => {
  for (const path of ["./", "./icon.svg"]) {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    expect(response.headers()).toMatchObject({ "x-content-type-options": "nosniff", "content-security-policy": "frame-ancestors *" });
  }
  for (const path of ["./assets/gone-12345678.js", "./gone.html", "./some/where"]) {
    const response = await request.get(path);
    expect(response.status()).toBe(404);
    expect(await response.text()).not.toContain("Oriscope");
  }
});

test("the page allows no script but its own files, and speaks with no other origin", async ({ request }) => {
  const html = await (await request.get("./")).text();
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll("&#39;", "'") ?? "";
  const allowed = new Map(
    policy.split("; ").map((rule): [string, string] => [rule.split(" ")[0] ?? "", rule.split(" ").slice(1).join(" ")]),
  );
  for (const rule of ["default-src", "script-src", "worker-src", "connect-src"]) expect(allowed.get(rule), rule).toBe("'self'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  // Offline work and frames add nothing to it: every script is a file of the page.
  const scripts = html.match(/<script\b[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((tag) => !/ src="\.\//.test(tag))).toEqual([]);
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await new Promise((resolve) => socket.once("listening", resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

test("who may show the page in a frame is what --frames says: other sites get none, and in a sandbox it works", async ({ page }) => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const outer = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<iframe sandbox="allow-scripts allow-same-origin" src="${address}#embed/" width="1000" height="600"></iframe>`);
  });
  await new Promise<void>((resolve) => outer.listen(0, "127.0.0.1", resolve));
  const other = (outer.address() as AddressInfo).port;
  // The same server under two names: for a browser these are two sites.
  const started = spawn(process.execPath, ["scripts/start.mjs", "--port", String(port), "--frames", `http://localhost:${other}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await printed(started, address);
    const refusal = page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()));
    await page.goto(`http://127.0.0.1:${other}/`);
    await refusal;
    await expect(page.frameLocator("iframe").getByTestId("sentence")).toHaveCount(0);
    await page.goto(`http://localhost:${other}/`);
    // In a sandbox that allows what the page needs, it works.
    const frame = page.frameLocator("iframe");
    await expect(frame.getByTestId("sentence")).not.toBeEmpty();
    await frame.getByRole("button", { name: "Step into", exact: true }).click();
    await expect(frame.getByTestId("sentence")).not.toContainText("Input of");
  } finally {
    started.kill();
    close(outer);
  }
});

function printed({ stdout }: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    stdout?.on("data", (data) => {
      if (String(data).includes(text)) resolve();
    });
  });
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}
