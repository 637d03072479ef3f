import { expect, it, vi } from "vitest";
import type { TraceInfo } from "../../engine/api/types.ts";
import { localPort } from "../session/engine-port.ts";
import type { Feature } from "../session/feature.ts";
import { createSession } from "../session/session.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { programEntries, stepEntry } from "./palette-entries.ts";

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

it("a number in the palette is a step as the page shows it, from 1 to the last", () => {
  const session = createSession(localPort(createFakeEngine));
  session.patch("position", { trace: { steps: 3 } as TraceInfo });
  const seek = vi.spyOn(session.actions.position, "seek").mockReturnValue();
  for (const entry of ["0", "1", ":3", "4", "x"].flatMap((query) => stepEntry(query, session))) if (entry.enabled === true) entry.run();
  expect(seek.mock.calls).toEqual([[0], [2]]);
});
