import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { deflate } from "./deflate.ts";
import { decodeLink, encodeLink, MAX_FRAGMENT } from "./link-codec.ts";
import { EMPTY_LINK, type LinkData } from "./link-data.ts";

const full: LinkData = {
  ...EMPTY_LINK,
  engine: "0.1.0",
  source: ".kernel k()\nBB0:\n    EXIT // käsü 🙂\n",
  title: "k",
  format: "ori",
  kernel: "k",
  target: "sm_80",
  level: 2,
  policy: "measured",
  knobs: ["464=3"],
  phases: ["13", "15"],
  phase: "ori-branch-opt",
  step: 12,
  selection: { kind: "edge", from: "BB0", to: "BB1" },
  view: { tab: "source", zoom: 1.5, open: true },
  breakpoints: [{ kind: "condition", text: "kind = rewrite", enabled: true }],
  digest: "0123456789abcdef",
};

async function forge(value: unknown, version = 1): Promise<string> {
  return `v${version}.${toBase64Url(await deflate(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))))}`;
}

describe("links", () => {
  it("come back as they went", async () => {
    const fragment = await encodeLink(full);
    expect(fragment).toMatch(/^v1\.[\w-]+$/);
    expect(await decodeLink(`https://example.org/page#${fragment}`)).toEqual({ ok: true, data: full, version: 1 });
    expect(await decodeLink(await encodeLink(EMPTY_LINK))).toEqual({ ok: true, data: EMPTY_LINK, version: 1 });
  });

  it("are short for short programs", async () => {
    expect((await encodeLink(full)).length).toBeLessThan(500);
  });

  it.each([
    ["", "does not begin with a version"],
    ["hello", "does not begin with a version"],
    ["v99.abc", "of version 99"],
    ["v0.abc", "of version 0"],
    ["v1.a b", "characters that no link has"],
    ["v1.AAAA", "cut or damaged"],
    ["v1.", "cut or damaged"],
    [`v1.${"A".repeat(MAX_FRAGMENT)}`, "at most"],
  ])("%.12s is refused: %s", async (text, message) => {
    const decoded = await decodeLink(text);
    expect(decoded.ok ? "" : decoded.message).toContain(message);
  });

  it("refuse a size bomb while inflating", async () => {
    const bomb = await forge(`{"source":"${"a".repeat(60_000_000)}"}`);
    expect(bomb.length).toBeLessThan(MAX_FRAGMENT);
    const decoded = await decodeLink(bomb);
    expect(decoded).toMatchObject({ ok: false });
  });

  it("name a bad field and still offer the text", async () => {
    expect(await decodeLink(await forge({ level: 9, source: "BB0:" }))).toMatchObject({
      ok: false,
      source: "BB0:",
      message: expect.stringContaining("level"),
    });
    expect(await decodeLink(await forge({ breakpoints: [{ kind: "line", line: "x" }] }))).toMatchObject({ ok: false });
    expect(await decodeLink(await forge([1, 2]))).toMatchObject({ ok: false });
    expect(await decodeLink(await forge("not json"))).toMatchObject({ ok: false });
  });

  it("ignore unknown fields and keep no foreign prototype", async () => {
    const decoded = await decodeLink(await forge('{"__proto__":{"level":1},"later":7,"kernel":"k"}'));
    expect(decoded).toMatchObject({ ok: true, data: { kernel: "k", level: 3 } });
  });

  it("cut anywhere never throw", async () => {
    const fragment = await encodeLink(full);
    for (let n = 0; n < fragment.length; n += 7) expect((await decodeLink(fragment.slice(0, n))).ok).toBe(false);
  });

  it("take any text and bytes", async () => {
    const seed = 4711;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (source) => {
        const decoded = await decodeLink(await encodeLink({ ...EMPTY_LINK, source }));
        // A lone surrogate has no UTF-8 form.
        expect(decoded).toMatchObject({ ok: true, data: { source: new TextDecoder().decode(new TextEncoder().encode(source)) } });
      }),
      { seed, numRuns: 60 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect([...(fromBase64Url(toBase64Url(bytes)) ?? [])]).toEqual([...bytes]);
      }),
      { seed },
    );
  });
});
