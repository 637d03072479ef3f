import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const kernel = (name: string, rows: number): string =>
  `.kernel ${name}(a: R0, out: RD0)\nB0:\n${"    IADD R1, R0, 1\n    STG [RD0], R1\n".repeat(rows)}    EXIT\n`;
const MODULE = [kernel("small", 1), kernel("large", 9), kernel("middle", 3)].join("\n");

/** The command as it is run, threads included. */
function run(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "bin/oriscope.mjs"), "run", "-", ...args], {
    input: MODULE,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

it("kernels run on threads give the same, in the order of the text, and say the same", () => {
  const one = run("--target", "sm_75", "--skip", "49#99");
  expect(one.code).toBe(0);
  expect(one.out.match(/^\.kernel \w+/gm)).toEqual([".kernel small", ".kernel large", ".kernel middle"]);
  expect(one.err).toContain("does not apply");
  expect(run("--target", "sm_75", "--skip", "49#99", "--jobs", "2")).toEqual(one);
}, 300_000);
