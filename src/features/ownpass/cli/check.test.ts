/** `check --pass-cmd`: real commands in a shell. */

import { describe, expect, it, vi } from "vitest";
import { parseArgs } from "../../../cli/args.ts";
import { COMMON_OPTIONS } from "../../../cli/command.ts";
import type { Io } from "../../../cli/io.ts";
import { checkCommand } from "./check.ts";
import type { CheckJson } from "./shapes.ts";

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

/** The first error of each command with its options; most of them wait, so all run at the same time. */
const firstFailures = (...commands: readonly (readonly [command: string, ...options: string[]])[]) =>
  Promise.all(commands.map(async ([command, ...options]) => (await check(command, "--count", "1", "--no-shrink", ...options)).failures[0]));

const SUB = "sed 's/= add /= sub /'";

describe("a pass as a command", { timeout: 120_000 }, () => {
  it.each(["ori", "bril", "bril-json"])("that changes nothing is not put to the test: %s", async (format) => {
    expect(await check("cat", "--format", format)).toEqual({
      standing: "untested",
      programs: 6,
      seed: 40,
      failures: [],
      changed: 0,
      code: 1,
    });
    // Different notation, the same program.
    if (format !== "bril-json") expect(await check("sed 's/,  */,   /g'", "--format", format)).toMatchObject({ standing: "untested" });
  });

  it("that changes a program without changing its meaning holds", async () => {
    const renamed = await check(
      "sed -E 's/\\bv([0-9]+)\\b/w\\1/g; s/ = const 1;/ = const 1;\\n  extra: int = const 7;/'",
      "--format",
      "bril",
    );
    expect(renamed).toMatchObject({ standing: "held", failures: [], code: 0 });
    expect(renamed.changed).toBeGreaterThan(0);
  });

  /** The first failure of a command, minimized and as it was found. */
  async function smallAndWhole(command: string, format: string, seed: number) {
    const one = ["--format", format, "--count", "1", "--seed", String(seed)];
    const { failures, code } = await check(command, ...one);
    expect(code).toBe(1);
    expect(failures).toMatchObject([{ seed, law: "meaning", input: expect.stringContaining("=") }]);
    const [whole] = (await check(command, ...one, "--no-shrink")).failures;
    expect(whole).toMatchObject({ seed, law: "meaning" });
    return { small: failures[0]!.program, whole: whole!.program };
  }
  const lines = (text: string): number => text.split("\n").length;

  it("that does something wrong is told by an input and a program, which is made small", async () => {
    const { small, whole } = await smallAndWhole("sed -E 's/IADD( +R[0-9]+, R[0-9]+, R[0-9]+)/ISUB\\1/'", "ori", 47);
    expect(lines(small)).toBeLessThan(lines(whole));
  });

  it("is made small by as many smaller programs on a machine that is slow", async () => {
    const { small, whole } = await smallAndWhole(SUB, "bril", 43);
    expect(lines(small)).toBeLessThan(lines(whole));
    // The clock advances by an hour at each read.
    let clock = 0;
    const slow = vi.spyOn(Date, "now").mockImplementation(() => (clock += 3_600_000));
    expect((await smallAndWhole(SUB, "bril", 43)).small).toBe(small);
    slow.mockRestore();
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

  it("that takes all memory, or leaves something behind that holds its output open, is ended", async () => {
    // In its own process group: ending the command's group does not reach it.
    const escaped = `node -e "require('node:child_process').spawn('sleep', ['30'], { detached: true, stdio: 'inherit' })"; sleep 30`;
    expect(
      await firstFailures(
        [`node -e "const a = []; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 1)"`, "--memory", "300"],
        [escaped, "--timeout", "1000"],
        ["trap '' TERM HUP INT; while :; do :; done", "--timeout", "300"],
        ["head -c 3000000 /dev/urandom; head -c 3000000 /dev/urandom >&2", "--format", "bril"],
      ),
    ).toMatchObject([
      { law: "ends", message: "the command took more than 300 MB of memory" },
      { law: "ends", message: "the command did not end within 1000 ms" },
      { law: "ends" },
      { law: "program" },
    ]);
  });

  it("that fails, never ends, writes too much or wavers is told so", async () => {
    expect(
      await firstFailures(
        ["echo oops >&2; exit 3"],
        ["sleep 100 | cat", "--timeout", "200"],
        ["yes"],
        ["no-such-command-at-all"],
        ["cat; printf '\\n# '; date +%N", "--format", "bril"],
      ),
    ).toMatchObject([
      { law: "ends", message: "the command ended with 3: oops" },
      { law: "ends", message: "the command did not end within 200 ms" },
      { message: expect.stringMatching(/wrote more than|did not end/) },
      { message: expect.stringContaining("ended with 127") },
      { law: "deterministic" },
    ]);
  });
});
