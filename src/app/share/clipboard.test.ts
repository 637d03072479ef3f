import { afterEach, expect, it, vi } from "vitest";
import type { Session } from "../session/session.ts";
import { copyText } from "./clipboard.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["without a secure connection", {}, [false, "warning", "This page may not use the clipboard: select it."]],
  ["if the browser refuses", { clipboard: { writeText: () => Promise.reject(new Error("no")) } }, [false, "warning"]],
  ["if the browser allows it", { clipboard: { writeText: () => Promise.resolve() } }, [true, "info", "Copied."]],
])("reports how copying went: %s", async (_, navigator, expected) => {
  vi.stubGlobal("navigator", navigator);
  const messages: unknown[] = [];
  const session = { actions: { notify: (...message: readonly unknown[]) => messages.push(...message) } } as unknown as Session;
  const copied = await copyText(session, "text", "Copied.", ": select it.");
  expect([copied, ...messages].slice(0, expected.length)).toEqual(expected);
});
