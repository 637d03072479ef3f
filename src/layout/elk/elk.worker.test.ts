/** ELK's worker before and after its large script is loaded: messages are kept, and a failure is reported. */

import { afterEach, expect, it, vi } from "vitest";

const SCRIPT = "./elk-script.ts";

class Scope extends EventTarget {
  readonly reported: unknown[] = [];
  reportError(error: unknown): void {
    this.reported.push(error);
  }
}

/** Starts the worker with its own global scope; `script` replaces ELK's script. */
async function started(name: string, script: (scope: Scope) => object): Promise<Scope> {
  const scope = new Scope();
  vi.stubGlobal("self", scope);
  vi.doMock(SCRIPT, () => script(scope));
  // The query makes each import a new module: other test files share this process.
  await import(/* @vite-ignore */ `${new URL("./elk.worker.ts", import.meta.url).pathname}?${name}`);
  return scope;
}

const message = (data: string): MessageEvent => new MessageEvent("message", { data });

afterEach(() => {
  vi.doUnmock(SCRIPT);
  vi.unstubAllGlobals();
});

it("hears what was sent while ELK's script was being loaded, in its order, and later messages once", async () => {
  const heard: unknown[] = [];
  const scope = await started("loads", (own) => {
    own.addEventListener("message", (event) => heard.push((event as MessageEvent).data));
    return {};
  });
  for (const data of ["a", "b"]) scope.dispatchEvent(message(data));
  await vi.waitFor(() => expect(heard).toEqual(["a", "b"]), 30_000);
  scope.dispatchEvent(message("c"));
  expect(heard).toEqual(["a", "b", "c"]);
});

it("reports a script that cannot be loaded, so that its owner gets an error event", async () => {
  const scope = await started("fails", () => {
    throw new Error("no network");
  });
  await vi.waitFor(() => expect(scope.reported).toHaveLength(1), 30_000);
});
