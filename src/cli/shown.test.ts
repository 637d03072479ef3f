import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cli } from "./testing/cli.ts";

const HOSTILE = "\u001b]0;PWN\u0007\u001b[2J\u202e";
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;
const LINK = `#v1.${deflateRawSync(Buffer.from(JSON.stringify({ source: `// ${HOSTILE}\n`, title: "t" }))).toString("base64url")}`;
const LAB = `---\nid: a\ntitle: "x \\e]0;PWN\\a \\u202E"\n---\n\n\`\`\`task {id=t points=1}\nkind: text\nask: Say it.\n\`\`\`\n`;
const PASS = `export default { name: "p", run() { throw new Error(${JSON.stringify(HOSTILE)}); } };\n`;

describe("control characters of other people's texts", () => {
  it.each([
    ["run evil", { evil: `.kernel ${HOSTILE}()\n` }],
    ["run none-\u001b[2J", {}],
    ["lab check lab.md", { "lab.md": LAB }],
    [`unlink ${LINK}`, {}],
    ["check --pass pass.ts --count 2", { "pass.ts": PASS }],
    [`run k --pass pass.ts`, { k: ".kernel k()\nA:\n    EXIT\n", "pass.ts": PASS }],
  ])("do not reach the terminal: %j", async (argv, files) => {
    const { out, err } = await cli(argv, files as Record<string, string>);
    expect(out + err).not.toBe("");
    expect(out + err).not.toMatch(CONTROLS);
  });

  it("stay in data that is kept", async () => {
    expect(await cli(`unlink ${LINK} --source`, {})).toEqual({ code: 0, out: `// ${HOSTILE}\n`, err: "" });
    expect(JSON.parse((await cli(`unlink ${LINK} --json`, {})).out)).toMatchObject({ source: `// ${HOSTILE}\n` });
  });

  it("are written out on a terminal, data or not", async () => {
    expect((await cli(`unlink ${LINK} --source`, {}, { terminal: true })).out).toBe("// \\u{1b}]0;PWN\\u{7}\\u{1b}[2J\\u{202e}\n");
  });
});

it("an Ori text is no PTX module, whatever it declares", async () => {
  const { code, out, err } = await cli("run x --from ptx", { x: ".target sm_90\n.kernel k(n: R0)\nA:\n    MOV R1, R0\n    EXIT\n" });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("the text contains no .entry and no .func with a body");
});
