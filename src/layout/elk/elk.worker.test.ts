import { afterEach, expect, it, vi } from "vitest";

const SCRIPT = "./elk-script.ts";

class Scope extends EventTarget {
  readonly reported: unknown[] = [];
  reportError(error: unknown): void {
    this.reported.push(error);
  }
}

/** The worker, started in a scope of its own, with `script` for ELK's. */
async function started(name: string, script: (scope: Scope) => object): Promise<Scope> {
  const scope = new Scope();
  vi.stubGlobal("self", scope);
  vi.doMock(SCRIPT, () => script(scope));
  // Each time anew, beside what other files of this process have loaded.
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
  await vi.waitFor(() => expect(heard).toEqual(["a", "b"]));
  scope.dispatchEvent(message("c"));
  expect(heard).toEqual(["a", "b", "c"]);
});

it("reports a script that cannot be loaded, so that its owner gets an error event", async () => {
  const scope = await started("fails", () => {
    throw new Error("no network");
  });
  await vi.waitFor(() => expect(scope.reported).toHaveLength(1));
});
