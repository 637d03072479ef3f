import { expect, it } from "vitest";
import { localPort } from "../session/engine-port.ts";
import type { Feature } from "../session/feature.ts";
import { createSession } from "../session/session.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { programEntries } from "./palette-entries.ts";

it("the palette has the lists that could be loaded, and reports the others", async () => {
  const entry = { id: "example:a", group: "Example", title: "A", found: "", run: () => undefined };
  const features: readonly Feature[] = [
    { id: "one", palette: () => Promise.reject(new TypeError("Failed to fetch dynamically imported module")) },
    { id: "two", palette: () => Promise.resolve([entry]) },
    { id: "three" },
  ];
  const session = createSession(localPort(createFakeEngine), { features });
  expect(await programEntries(session)).toEqual([entry]);
  const [notice] = session.store.getState().notices;
  expect(notice?.text).toMatch(/^Some entries of the palette could not be loaded: .*Reload the page/);
});
