import { afterEach, expect, it, vi } from "vitest";
import { FEATURES } from "../../features/page.ts";
import { localPort } from "../session/engine-port.ts";
import { createSession } from "../session/session.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { keepPreferences } from "./preferences.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [{ preset: "step", inspectors: { top: "pseudocode", bottom: "why" } }, "study", { tab: "algorithm" }],
  [{ preset: "compare", inspectors: { top: "pseudocode", bottom: "record" } }, "study", { tab: "data", part: "record" }],
  [{ preset: "explore", inspectors: { top: "events", bottom: "rule" } }, "study", { tab: "why", rule: true }],
  [{ preset: "present", place: "events" }, "present", { tab: "log" }],
  ["not what was kept", "study", { tab: "why", rule: false }],
])("what was kept, also by an earlier version, opens what it contained: %j", (kept, preset, open) => {
  vi.stubGlobal("localStorage", { getItem: () => JSON.stringify(kept), setItem: () => undefined });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  vi.stubGlobal("window", {
    matchMedia: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
  });
  const session = createSession(localPort(createFakeEngine), { features: FEATURES });
  keepPreferences(session)();
  expect(session.store.getState().view).toMatchObject({ preset, open });
});
