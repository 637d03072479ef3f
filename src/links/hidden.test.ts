import { describe, expect, it } from "vitest";
import { revealed, withoutHidden } from "./hidden.ts";

describe("characters that are not seen", () => {
  it("are taken out of a name", () => {
    expect(withoutHidden("a\u202egpj.exe\u001b[2J\u200b\ufeff\u2066é\n日本")).toBe("agpj.exe[2Jé日本");
  });
  it("are written out in a text of lines, whose ends and tabs stay", () => {
    expect(revealed("a\tb\nc\r\nd\re\u001b]0;x\u0007\u202e\u009b日")).toBe("a\tb\nc\r\nd\\u{d}e\\u{1b}]0;x\\u{7}\\u{202e}\\u{9b}日");
  });
});
