import { describe, expect, it } from "vitest";
import { FEATURES } from "../../features/page.ts";
import { CORE } from "../core.ts";
import { commandsOf } from "../session/feature.ts";
import { chordOf, findCommand } from "./shortcuts.ts";

const COMMANDS = commandsOf([...CORE, ...FEATURES]);

const press = (key: string, modifiers: Partial<Record<"ctrlKey" | "shiftKey" | "altKey" | "metaKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

describe("commands", () => {
  it("have unique ids and unique keys", () => {
    const ids = COMMANDS.map((c) => c.id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = COMMANDS.flatMap((c) => c.keys);
    expect(keys.filter((k, i) => keys.indexOf(k) !== i)).toEqual([]);
  });

  it("every way to move exists in both directions", () => {
    const ids = new Set(COMMANDS.map((c) => c.id));
    for (const id of ids) if (id.startsWith("step.") && id.endsWith("-back")) expect(ids).toContain(id.slice(0, -5));
    for (const id of ["into", "over", "out", "change", "event", "touch", "breakpoint", "match", "rewrite"])
      expect(ids).toContain(`step.${id}-back`);
  });
});

describe("shortcuts", () => {
  it("name a press as commands do", () => {
    expect(chordOf(press("k", { ctrlKey: true }), false)).toBe("Mod+K");
    expect(chordOf(press("k", { metaKey: true }), true)).toBe("Mod+K");
    expect(chordOf(press("S", { shiftKey: true }), false)).toBe("Shift+S");
    expect(chordOf(press("}", { shiftKey: true }), false)).toBe("Shift+]");
    expect(chordOf(press("{", { altKey: false }), false)).toBe("Shift+[");
  });

  it("leave plain letters to text fields, and can be switched off", () => {
    const find = (typing: boolean, singleKeys: boolean) => findCommand(COMMANDS, press("s"), { typing, singleKeys })?.id ?? null;
    expect(find(false, true)).toBe("step.into");
    expect(find(true, true)).toBeNull();
    expect(find(false, false)).toBeNull();
    expect(findCommand(COMMANDS, press(".", { ctrlKey: true }), { typing: true, singleKeys: false })?.id).toBe("step.into");
  });
});

it("menus have at most sixty entries; the palette has everything", () => {
  const entries = COMMANDS.filter((c) => c.menu !== null).map((c) => `${c.menu}: ${c.title}`);
  expect(entries.length, entries.join("\n")).toBeLessThanOrEqual(60);
});
