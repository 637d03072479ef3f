import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const LOOP =
  ".kernel k(n: R0, out: RD1)\nA:\n    MOV R1, 0\n    MOV R2, R1\nB:\n    IADD R2, R2, 1\n    ISETP.LT P0, R2, R0\n@P0 BRA B\nC:\n    BRA D\nD:\n    STG [RD1], R2\n    EXIT\n";

const client = new Client({ name: "test", version: "1" });

/** The server as a client starts it: a process with a pipe at each end. */
beforeAll(async () => {
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ["bin/oriscope.mjs", "mcp"], stderr: "inherit" }));
}, 60_000);

afterAll(() => client.close());

async function call<T>(name: string, input: Record<string, unknown>): Promise<{ error: boolean; text: string; value: T }> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const text = (content as { text: string }[]).map((part) => part.text).join("");
  return { error: isError === true, text, value: (isError === true ? null : JSON.parse(text)) as T };
}

describe("the MCP server", () => {
  it("lists its tools, each with a description and a schema", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((t) => t.name)).toEqual(["open", "run", "why", "step", "diff", "check"]);
    for (const tool of tools)
      expect({ ...tool, description: tool.description?.length ?? 0 }).toMatchObject({
        inputSchema: { type: "object" },
        description: expect.any(Number),
      });
  });

  it("says what to do first", async () => {
    expect(await call("run", {})).toMatchObject({ error: true, text: expect.stringContaining("call open first") });
    expect(await call("diff", {})).toMatchObject({ error: true, text: expect.stringContaining("call open, then run") });
  });

  it("refuses an argument that a tool does not know, and names the nearest", async () => {
    const near = await call("run", { polcy: "measured" });
    expect([near.error, near.text]).toEqual([true, "run has no argument 'polcy'. Did you mean 'policy'?"]);
    const far = await call("open", { text: LOOP, zzzzzzzz: 1 });
    expect([far.error, far.text]).toEqual([true, "open has no argument 'zzzzzzzz'. It accepts text, format."]);
  });

  it("opens, runs, explains, steps and compares", async () => {
    expect((await call("open", { text: LOOP })).value).toMatchObject({ ok: true, format: "ori", kernels: [{ name: "k", blocks: 4 }] });
    const run = (await call<{ changed: { id: string; did: string }[] }>("run", { target: "sm_80" })).value;
    expect(run).toMatchObject({ kernel: "k", target: "sm_80" });
    const [first] = run.changed;
    expect(first?.did).toMatch(/\d/);
    const why = (await call<{ events: { phase: string; sentence: string }[] }>("why", { block: "C" })).value;
    expect(why.events.length).toBeGreaterThan(0);
    const one = (await call<{ of: number; sentence: string; text: string }>("step", { phase: first?.id, step: 1, text: true })).value;
    expect(one.of).toBeGreaterThan(1);
    expect(one.sentence).not.toBe("");
    expect(one.text).toContain("EXIT");
    const diff = (await call<{ changed: boolean; lines: string[] }>("diff", {})).value;
    expect(diff.changed).toBe(true);
    expect(diff.lines.some((line) => line.startsWith("-"))).toBe(true);
    const { value } = await call<{ verdict: string; counterexample: string }>("check", {
      before: LOOP,
      after: LOOP.replace("R2, 1", "R2, 2"),
    });
    expect(value.verdict).toBe("different");
    expect(value.counterexample).not.toBe("");
  });

  it("ends a comparison of programs that never end, and says how far it came", async () => {
    const endless = ".kernel k(n: R0)\nA:\n    BRA A\n";
    const { value } = await call<{ verdict: string; message: string }>("check", { before: endless, after: endless, inputs: 2000 });
    expect(value.verdict).toBe("unknown");
    expect(value.message).toMatch(/Only \d+ of 2000 inputs were tried: the limit is 20000000 executed instructions\./);
  });

  it("refuses what it cannot use, and goes on", async () => {
    expect((await call("open", { text: "nonsense" })).value).toMatchObject({
      ok: false,
      diagnostics: expect.arrayContaining([expect.stringContaining("error")]),
    });
    await call("open", { text: LOOP });
    await call("run", {});
    expect(await call("step", { phase: "nonsense", step: 0 })).toMatchObject({ error: true });
    expect(await call("step", { phase: 15, step: 100_000 })).toMatchObject({ error: true, text: expect.stringContaining("steps") });
    expect(await call("why", { block: "Z" })).toMatchObject({ error: true, text: expect.stringContaining("no block Z") });
    expect(await call("run", { level: 9 })).toMatchObject({ error: true });
  });
});
