import { describe, expect, it } from "vitest";
import { checkLinkData, EMPTY_LINK, LINK_VERSION, MAX_BREAKPOINTS, restoreLinkData } from "./link-data.ts";

const SOURCE = ".kernel k()\nBB0:\n    EXIT\n";
const mangled = `_ZN4${"cutlass6device4GemmI".repeat(400)}EvT_`;

describe("data of a link", () => {
  it("takes names as long as the parser takes them", () => {
    const data = {
      ...EMPTY_LINK,
      source: `.kernel ${mangled}()\n${mangled}:\n    EXIT\n`,
      kernel: mangled,
      selection: { kind: "block", label: mangled },
      breakpoints: [{ kind: "subject", subject: { kind: "edge", from: mangled, to: mangled }, enabled: true }],
    };
    expect(mangled.length).toBeGreaterThan(8_000);
    expect(checkLinkData(LINK_VERSION, data)).toEqual({ ok: true, data });
  });
});

describe("work of one's own", () => {
  it("comes back whole when nothing is wrong with it", () => {
    const data = { ...EMPTY_LINK, source: SOURCE, level: 1, knobs: ["a=1"] };
    expect(restoreLinkData(LINK_VERSION, data)).toEqual({ data, reset: [] });
  });

  it("keeps its text and every good field, whatever field is bad", () => {
    const good = { ...EMPTY_LINK, source: SOURCE, title: "mine", level: 1, phase: "gvn-cse", step: 4, knobs: ["a=1"] };
    const bad: Record<string, unknown> = {
      engine: 7,
      example: {},
      title: ["a"],
      format: "elf",
      kernel: 1,
      target: false,
      level: 9,
      policy: "mine",
      knobs: "a=1",
      noPhases: [3],
      namedPhases: {},
      phases: "all",
      until: 5,
      fuel: -1,
      pass: { title: "t", source: 5, at: null },
      phase: 12,
      occurrence: 0.5,
      step: "end",
      selection: { kind: "everything" },
      view: 5,
      breakpoints: "none",
      digest: 0,
    };
    for (const [key, value] of Object.entries(bad)) {
      const restored = restoreLinkData(LINK_VERSION, { ...good, [key]: value });
      expect(restored, key).toEqual({ data: { ...good, [key]: EMPTY_LINK[key as keyof typeof EMPTY_LINK] }, reset: [key] });
    }
    const all = restoreLinkData(LINK_VERSION, { ...bad, source: SOURCE });
    expect(all?.data).toEqual({ ...EMPTY_LINK, source: SOURCE });
    expect([...(all?.reset ?? [])].sort()).toEqual(Object.keys(bad).sort());
  });

  it("keeps the good ones of a list of breakpoints, and what fits of a title", () => {
    const line = { kind: "line", line: 3, enabled: true };
    const restored = restoreLinkData(LINK_VERSION, { source: SOURCE, title: "t".repeat(900), breakpoints: [line, { kind: "line" }, line] });
    expect(restored?.data.breakpoints).toEqual([line, line]);
    expect(restored?.data.title).toHaveLength(500);
    const many = restoreLinkData(LINK_VERSION, { source: SOURCE, breakpoints: Array.from({ length: 400 }, () => line) });
    expect(many?.data.breakpoints).toHaveLength(MAX_BREAKPOINTS);
  });

  it("is nothing without a text", () => {
    for (const stored of [null, undefined, 7, "text", [], {}, { source: 5 }, { title: "a" }]) {
      expect(restoreLinkData(LINK_VERSION, stored)).toBeNull();
    }
  });
});
