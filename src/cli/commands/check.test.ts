/** `check --pass-cmd`: real commands in a shell. */

import { describe, expect, it } from "vitest";
import { parseArgs } from "../args.ts";
import { COMMON_OPTIONS } from "../command.ts";
import type { Io } from "../io.ts";
import type { CheckJson } from "../shapes.ts";
import { checkCommand } from "./check.ts";

async function check(command: string, ...more: string[]): Promise<CheckJson & { code: number }> {
  let out = "";
  const io: Io = {
    readText: () => "",
    readBytes: () => new Uint8Array(),
    out: (text) => {
      out += text;
    },
    err: () => undefined,
    now: () => 0,
  };
  const usual = ["--count", "6", "--seed", "40", "--timeout", "20000"].map((word, i, all) => ({
    word,
    name: i % 2 === 0 ? word : (all[i - 1] ?? ""),
  }));
  const argv = ["--pass-cmd", command, "--json", ...usual.filter(({ name }) => !more.includes(name)).map(({ word }) => word), ...more];
  const code = await checkCommand.run(parseArgs(argv, { positionals: [], options: [...checkCommand.options, ...COMMON_OPTIONS] }), io);
  return { ...(JSON.parse(out) as CheckJson), code };
}

describe("a pass as a command", { timeout: 120_000 }, () => {
  it.each(["ori", "bril", "bril-json"])("that changes nothing holds on %s", async (format) => {
    expect(await check("cat", "--format", format)).toEqual({ programs: 6, seed: 40, failures: [], code: 0 });
  });

  it("that does something wrong is told by a program and an input", async () => {
    const ori = await check("sed -E 's/IADD( +R[0-9]+, R[0-9]+, R[0-9]+)/ISUB\\1/'", "--count", "20");
    expect(ori.code).toBe(1);
    expect(ori.failures[0]).toMatchObject({ law: "meaning" });
    expect(ori.failures[0]?.input).toContain("=");
    const bril = await check("sed 's/= add /= sub /'", "--format", "bril", "--count", "20");
    expect(bril.failures.map((f) => f.law)).toContain("meaning");
  });

  it.each([
    ["program", "cat; printf '\\n@f {'"],
    ["program", "echo lorem ipsum"],
    ["signature", "sed s/@main/@other/g"],
    ["meaning", "sed '$d'; printf '  extra: int = const 1;\\n  print extra;\\n}\\n'"],
  ])("breaks the law %s: %s", async (law, command) => {
    const { failures } = await check(command, "--format", "bril");
    expect(failures.map((f) => f.law)).toContain(law);
  });

  it("that fails, never ends, writes too much or wavers is told so", async () => {
    expect((await check("echo oops >&2; exit 3", "--count", "1")).failures[0]).toMatchObject({
      law: "ends",
      message: "the command ended with 3: oops",
    });
    expect((await check("sleep 100 | cat", "--count", "1", "--timeout", "200")).failures[0]?.message).toBe(
      "the command did not end within 200 ms",
    );
    expect((await check("yes", "--count", "1")).failures[0]?.message).toMatch(/wrote more than|did not end/);
    expect((await check("no-such-command-at-all", "--count", "1")).failures[0]?.message).toContain("ended with 127");
    const wavers = "cat; printf '\\n# '; date +%N";
    expect((await check(wavers, "--format", "bril", "--count", "1")).failures[0]).toMatchObject({ law: "deterministic" });
  });
});
