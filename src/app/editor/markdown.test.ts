import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws, freshSeed } from "../../engine/testing/seed.ts";
import { inlineCode, plainText } from "./markdown.ts";

// The very reader that the editor's hovers use; it comes without types.
const reader = "monaco-editor/base/common/marked/marked.js";
const { marked } = (await import(/* @vite-ignore */ reader)) as { marked: { parse(text: string): string } };

const HOSTILE = [
  "MOV R1, 0 `` [win a prize](https://evil.example) ``",
  "` [a](https://evil.example) `",
  "``",
  "```",
  "`a``b```c",
  "https://evil.example www.evil.example WWW.evil.example me@evil.example",
  "<https://evil.example> <img src=x onerror=alert(1)> <script>alert(1)</script>",
  "![pixel](https://evil.example/p.png)",
  "[a]: https://evil.example",
  "**bold** _it_ ~~gone~~ # head | table |",
  "\\`a` \\[x](y)",
  "a\n\n# b\n\n[c](https://evil.example)",
  "&lt;b&gt; &#91;a&#93;(https://evil.example)",
  "command:oriscope.run [x](command:oriscope.run)",
];

const render = (markdown: string): string => marked.parse(markdown);
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .trim();
const collapsed = (text: string): string => text.replace(/\s+/g, " ").trim();

describe("text of a program in Markdown", () => {
  it.each(HOSTILE)("is shown as it is, and is no link: %j", (text) => {
    const code = render(`line 3: ${inlineCode(text)}`);
    expect(code.match(/<[a-z]+/g)).toEqual(["<p", "<code"]);
    expect(textOf(code)).toBe(`line 3: ${collapsed(text)}`);
    const bold = render(`**x ${plainText(text)} x** · after`);
    expect(bold.match(/<[a-z]+/g)).toEqual(["<p", "<strong"]);
    expect(textOf(bold)).toBe(`x ${collapsed(text)} x · after`);
  });

  it("holds for any text made of what Markdown reads", () => {
    const part = fc.constantFrom(
      "`",
      "``",
      "[",
      "](",
      ")",
      "https://e.x/",
      "www.e.x",
      "<",
      ">",
      "*",
      "_",
      "~~",
      "\n",
      " ",
      "!",
      "\\",
      "a",
      "@e.x",
      "&amp;",
    );
    const seed = freshSeed();
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 14 }), (parts) => {
        const text = parts.join("");
        fc.pre(collapsed(text) !== "");
        for (const markdown of [`x ${inlineCode(text)} x`, `x ${plainText(text)} x`]) {
          const html = render(markdown);
          expect(html.match(/<(?!\/|p>|code>)[a-z]/g)).toBeNull();
          expect(textOf(html)).toBe(`x ${collapsed(text)} x`);
        }
      }),
      { seed, numRuns: draws(500) },
    );
  });
});
