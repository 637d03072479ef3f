import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { deflate } from "./deflate.ts";
import { decodeCase, decodeLink, decodeSmallLink, encodeLink, MAX_FRAGMENT } from "./link-codec.ts";
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
    ["v99.abc", "has version 99"],
    ["v0.abc", "has version 0"],
    ["v1.a b", "characters that no link has"],
    ["v1.AAAA", "truncated or damaged"],
    ["v1.", "truncated or damaged"],
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

  it.each([
    ["a list of millions of numbers", `{"source":"BB0:","knobs":[${"1,".repeat(8_000_000)}1]}`],
    ["millions of empty objects", `{"source":"BB0:","breakpoints":[${"{},".repeat(5_000_000)}{}]}`],
    ["lists in lists", `{"source":"BB0:","view":${"[".repeat(8_000_000)}${"]".repeat(8_000_000)}}`],
    ["a field that nobody knows", `{"later":[${"1,".repeat(8_000_000)}1],"source":"BB0:"}`],
    ["a long word", `{"source":"BB0:","kernel":"${"k".repeat(9_000_000)}"}`],
    ["a second program", `{"source":"BB0:","source":"${"a".repeat(9_000_000)}"}`],
  ])("of 25 kB that unpack to %s are refused before anything is built, and the program is offered", async (_, json) => {
    const text = await forge(json);
    expect(text.length).toBeLessThan(25_000);
    const refused = { ok: false, source: "BB0:", message: expect.stringContaining("far more data than any link") };
    const parse = vi.spyOn(JSON, "parse");
    expect(await decodeLink(text)).toEqual(refused);
    // What is offered is all that was ever read as JSON.
    expect(parse.mock.calls.map(([read]) => read)).toEqual(['"BB0:"']);
    parse.mockRestore();
    expect(decodeCase(json, "case.json")).toEqual(refused);
  });

  it("that hold the longest program are read whole, and large ones are told apart", async () => {
    const source = `// "\\" \u202e\n${'\\"\n'.repeat(1_000_000)}`;
    const text = await encodeLink({ ...full, source });
    expect(await decodeLink(text)).toEqual({ ok: true, version: 1, data: { ...full, source } });
    expect(await decodeSmallLink(text)).toBe("large");
    expect(await decodeSmallLink(await encodeLink(full))).toMatchObject({ ok: true });
  });

  it("look at a list's length before its items, and name the first thing that is wrong", async () => {
    const read = await decodeLink(await forge({ knobs: Array.from({ length: 3000 }, () => 1), level: "x" }));
    expect(read).toEqual({ ok: false, source: null, message: expect.stringMatching(/^(?:level|knobs): Invalid/) });
    const many = await decodeLink(await forge({ knobs: Array.from({ length: 3000 }, () => 1) }));
    expect(many).toMatchObject({ ok: false, message: expect.stringMatching(/^knobs: Invalid length/) });
  });

  it("show no name that hides what it says", async () => {
    const data = { ...full, title: "a\u202egpj.exe\u2066\u200f\u0007\u001b[31m", kernel: "k\u202e", breakpoints: [] };
    expect(await decodeLink(await encodeLink(data))).toMatchObject({ ok: true, data: { title: "agpj.exe[31m", kernel: "k" } });
  });

  it("changed anywhere, or made of anything, are read or refused and never throw", async () => {
    const words = Object.keys(EMPTY_LINK);
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, -1, 1e300, Number.NaN, "", "BB0:", "\u202e", "__proto__"),
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.array(tie("any"), { maxLength: 6 }),
        fc.dictionary(fc.constantFrom(...words, "kind", "enabled", "subject", "__proto__"), tie("any"), { maxKeys: 6 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...words), value, { maxKeys: 8 }),
        fc.nat(),
        fc.nat({ max: 63 }),
        async (made, at, by) => {
          const whole = await forge(made);
          const place = 3 + (at % (whole.length - 3));
          const other = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[by] ?? "";
          for (const text of [whole, whole.slice(0, place) + other + whole.slice(place + 1)]) {
            const read = await decodeLink(text);
            if (read.ok) expect(Object.keys(read.data).sort()).toEqual([...words].sort());
            else expect(read.message).not.toBe("");
          }
        },
      ),
      { seed: Number(process.env.ORISCOPE_SEED), numRuns: 100 },
    );
  });

  it("ignore unknown fields and keep no foreign prototype", async () => {
    const decoded = await decodeLink(await forge('{"__proto__":{"level":1},"later":7,"kernel":"k"}'));
    expect(decoded).toMatchObject({ ok: true, data: { kernel: "k", level: 3 } });
  });

  it("cut or changed inside their compressed data give the program's text up to there", async () => {
    const source = Array.from({ length: 300 }, (_, i) => `    IADD R${(i * 7919) % 97}, R${i}, "ä\\${i}"`).join("\n");
    const whole = await encodeLink({ ...EMPTY_LINK, source, title: "long" });
    let longest = 0;
    for (const part of [0.5, 0.7, 0.8, 0.9, 0.99]) {
      const cut = await decodeLink(whole.slice(0, Math.floor(whole.length * part)));
      if (cut.ok || cut.source === null) throw new Error("no text");
      expect(source.startsWith(cut.source)).toBe(true);
      expect(cut.source.length).toBeGreaterThan(longest);
      longest = cut.source.length;
      expect(cut.message).toMatch(/^The link is truncated or damaged\. The first \d+ lines of its program could be read\.$/);
    }
    expect(longest).toBeGreaterThan(source.length / 2);
    // As a compressor never writes it: a block of a kind that there is not, in the middle.
    const middle = Math.floor(whole.length * 0.6);
    const changed = await decodeLink(`${whole.slice(0, middle)}${"_".repeat(40)}${whole.slice(middle + 40)}`);
    if (!changed.ok && changed.source !== null) expect(changed.source.slice(0, 1_000)).toBe(source.slice(0, 1_000));
    else expect(changed.ok).toBe(false);
  });

  it("cut anywhere never throw", async () => {
    const fragment = await encodeLink(full);
    for (let n = 0; n < fragment.length; n += 23) expect((await decodeLink(fragment.slice(0, n))).ok).toBe(false);
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
