/** The device check without a device: a fake driver answers with the interpreter's result, with something else, or not at all. Needs Python 3 and a C compiler. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importPtx } from "../src/engine/import/ptx/import.ts";
import { draws, freshSeed } from "../src/engine/testing/seed.ts";
import { verifyModule } from "../src/engine/verify/verify.ts";
import { type Case, casesOf } from "./gpu-check/cases.ts";
import { check, difference, type Report } from "./gpu-check/check.ts";
import { type Device, Harness } from "./gpu-check/driver.ts";
import { randomPtx } from "./gpu-check/random-ptx.ts";
import { root } from "./lib/root.mjs";

const FIRST = freshSeed(1_000_000);
const example = (name: string): string => readFileSync(join(root, "src/features/examples/page", name), "utf8");
const runs = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
const missing = ["python3", "cc"].filter((program) => !runs(program));
if (missing.length > 0) console.log(`gpu-check: ${missing.join(" and ")} not found; the harness itself is not tested`);

describe("cases", () => {
  it("are launches that end, without a race, with what the interpreter leaves", () => {
    const { cases, left } = casesOf([{ name: "gcd", ptx: example("c/gcd.ptx") }], 3, 5);
    expect(left).toEqual([]);
    expect(cases).toHaveLength(3);
    for (const { job, expected } of cases) {
      expect(job.kernel).toBe("gcd");
      expect(job.params.map((p) => ("buffer" in p ? "buffer" : p.bytes.length))).toEqual([8, 8, "buffer"]);
      const [a, b] = job.params.map((p) => ("bytes" in p ? Buffer.from(p.bytes, "hex").readUInt32LE() : 0)) as [number, number];
      let [x, y] = [a, b];
      while (y !== 0) [x, y] = [y, x % y];
      expect(Buffer.from(expected[0]!).readUInt32LE()).toBe(x);
    }
  });

  it("leave out what a device may answer otherwise, and say why", () => {
    const kernel = (body: string): string =>
      `.version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out) { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; ld.param.u64 %rd1, [out]; ${body} ret; }`;
    const why = (body: string): string | undefined => casesOf([{ name: "k", ptx: kernel(body) }], 2, 1).left[0]?.why;
    expect(why("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 99, %r1; st.global.u32 [%rd1], %r1;")).toContain("race");
    expect(why("mov.u32 %r1, %clock; st.global.u32 [%rd1], %r1;")).toContain("clocks");
    expect(why("mov.u32 %r1, %smid; st.global.u32 [%rd1], %r1;")).toContain("where it runs");
    expect(why("vadd4.s32.s32.s32 %r1, %r2, %r3, %r1;")).toContain("without a meaning");
    expect(why("L: bra L;")).toContain("ends");
    expect(why("mov.u32 %r1, 3; st.global.u32 [%rd1], %r1;")).toBeUndefined();
  });

  it("of generated kernels: every instruction is modelled, the same seed makes the same text", () => {
    for (let seed = FIRST; seed < FIRST + draws(20); seed++) {
      const text = randomPtx(seed);
      expect(randomPtx(seed)).toBe(text);
      const { module, diagnostics, functions } = importPtx(text);
      expect([diagnostics, functions[0]!.opaque, verifyModule(module)]).toEqual([[], 0, []]);
    }
    const { cases, left } = casesOf(
      Array.from({ length: draws(8) }, (_, i) => ({ name: `g${i}`, ptx: randomPtx(FIRST + i) })),
      1,
      1,
    );
    expect([cases.length, left]).toEqual([draws(8), []]);
  });

  it.runIf(runs("ptxas"))("of generated kernels are ones that the real compiler takes", () => {
    const folder = mkdtempSync(join(tmpdir(), "oriscope-ptx-"));
    for (let seed = 100; seed < 104; seed++) {
      writeFileSync(join(folder, "k.ptx"), randomPtx(seed));
      const { status, stderr } = spawnSync("ptxas", ["-arch", "sm_75", "-O0", "-o", join(folder, "k.cubin"), join(folder, "k.ptx")], {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([0, ""]);
    }
    rmSync(folder, { recursive: true });
  });
});

describe("memory is compared", () => {
  const bytes = (...words: number[]): Uint8Array => new Uint8Array(Uint32Array.from(words).buffer);
  const text = (...words: number[]): string => Buffer.from(bytes(...words)).toString("base64");

  it("word by word", () => {
    const expected = [bytes(1, 2, 3), bytes(4)];
    expect(difference({ expected, approximate: false }, [text(1, 2, 3), text(4)])).toBeNull();
    expect(difference({ expected, approximate: false }, [text(1, 2, 3), text(5)])).toBe(
      "buffer 1, byte 0: the device has 0x5, the interpreter 0x4",
    );
    expect(difference({ expected, approximate: false }, [text(1, 0, 0), text(4)])).toContain("2 words differ");
    expect(difference({ expected, approximate: false }, [text(1, 2), text(4)])).toContain("8 bytes of 12");
    expect(difference({ expected, approximate: false }, [text(1, 2, 3)])).toContain("1 buffers");
  });

  it("as singles where a function is approximated", () => {
    const [one, next, far] = [0x3f800000, 0x3f800001, 0x3f810000];
    expect(difference({ expected: [bytes(one)], approximate: true }, [text(next)])).toBeNull();
    expect(difference({ expected: [bytes(one)], approximate: false }, [text(next)])).toContain("0x3f800001");
    expect(difference({ expected: [bytes(one)], approximate: true }, [text(far)])).toContain("0x3f810000");
    expect(difference({ expected: [bytes(0x7fffffff)], approximate: true }, [text(0x7fc00000)])).toBeNull();
  });
});

describe.runIf(missing.length === 0)("the harness", () => {
  let folder = "";
  let cases: readonly Case[] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "oriscope-gpu-"));
    const made = spawnSync(
      "cc",
      ["-shared", "-fPIC", "-O1", "-o", join(folder, "libcuda.so"), join(root, "scripts/gpu-check/fake-cuda.c")],
      { encoding: "utf8" },
    );
    expect(made.stderr).toBe("");
    const sources = [
      { name: "gcd", ptx: example("c/gcd.ptx") },
      { name: "loops", ptx: example("ptx/05_loop_nest.llvm22.sm_80.ptx") },
    ];
    cases = casesOf(sources, 2, 3).cases;
    expect(cases).toHaveLength(4);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A run against the made driver in one of its moods. */
  async function against(mode: string, seconds = 30): Promise<{ device: Device | { none: string }; report: Report | null; log: string[] }> {
    for (const name of ["log", "count"]) rmSync(join(folder, name), { force: true });
    for (const [i, one] of cases.entries()) writeFileSync(join(folder, String(i)), Buffer.concat(one.expected));
    const kept = { ...process.env };
    Object.assign(process.env, { ORISCOPE_LIBCUDA: join(folder, "libcuda.so"), FAKE_CUDA_DIR: folder, FAKE_CUDA_MODE: mode });
    const harness = new Harness(seconds);
    try {
      const device = await harness.start();
      if ("none" in device) return { device, report: null, log: [] };
      const report = await check(cases, harness, device, () => {});
      return { device, report, log: mode === "old" ? [] : readFileSync(join(folder, "log"), "utf8").trim().split("\n") };
    } finally {
      harness.stop();
      process.env = kept;
    }
  }

  it("gives kernels their memory and parameters and brings back what they leave", async () => {
    const { device, report, log } = await against("right");
    expect(device).toEqual({ device: "Fake GPU", sm: 86, driver: 12040 });
    expect(report).toEqual({ same: 4, different: [], refused: [] });
    expect(log).toHaveLength(4);
    expect(log[0]).toMatch(/^gcd <<<1,1,1, 64,1,1>>> shared 0 stream 0 extra 0 first -1$/);
    expect(log[1]).toContain("<<<2,1,1, 32,1,1>>>");
    // The first parameter of the other kernel is a pointer: the driver was given that of a buffer.
    expect(log[2]).toMatch(/first [0-9]+$/);
  });

  it("sees one wrong bit", async () => {
    const { report } = await against("wrong");
    expect(report).toMatchObject({ same: 3, refused: [] });
    expect(report?.different).toEqual([{ name: cases[1]!.name, what: expect.stringMatching(/^buffer 0, byte 8: the device has 0x/) }]);
  });

  it("goes on in a fresh process after a fault, a crash, and a kernel that does not come back", async () => {
    const after = async (mode: string, seconds: number): Promise<unknown> => {
      const { report } = await against(mode, seconds);
      expect(report).toMatchObject({ same: 3, refused: [] });
      return report?.different[0]?.what;
    };
    expect(await after("fault", 30)).toBe("run: CUDA_ERROR_ILLEGAL_ADDRESS");
    expect(await after("crash", 30)).toBe("process: the harness ended");
    expect(await after("hang", 2)).toBe("time: no answer within 2 s");
  });

  it("does not call a text that is too new a failure", async () => {
    const { report } = await against("old");
    expect(report).toMatchObject({ same: 0, different: [] });
    expect(report?.refused.map((r) => r.what)).toEqual(cases.map(() => "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
  });

  it("says that there is no GPU", async () => {
    expect((await against("none")).device).toEqual({ none: "the driver finds no device" });
    expect((await against("broken")).device).toEqual({ none: "the driver says CUDA_ERROR_NO_DEVICE" });
  });

  it("is a command that ends with 0 without a GPU, and with 1 when memory differs", () => {
    const command = (env: Record<string, string>, ...args: string[]): { status: number | null; stdout: string } =>
      spawnSync(process.execPath, ["--import", "tsx", "scripts/gpu-check.ts", ...args], {
        encoding: "utf8",
        env: { ...process.env, ...env },
        cwd: root,
      });
    const none = command({ ORISCOPE_LIBCUDA: join(folder, "nothing.so") });
    expect([none.status, none.stdout]).toEqual([0, "no GPU: there is no CUDA driver\n"]);
    const gcd = "src/features/examples/page/c/gcd.ptx";
    const fake = { ORISCOPE_LIBCUDA: join(folder, "libcuda.so"), FAKE_CUDA_DIR: folder, FAKE_CUDA_MODE: "wrong" };
    for (const name of ["log", "count"]) rmSync(join(folder, name), { force: true });
    for (const [i, one] of casesOf([{ name: "gcd", ptx: example("c/gcd.ptx") }], 3, 5).cases.entries())
      writeFileSync(join(folder, String(i)), Buffer.concat(one.expected));
    const wrong = command(fake, "--seed", "5", "--inputs", "3", gcd);
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toContain("Fake GPU, sm_86, driver for CUDA 12.4\n");
    expect(wrong.stdout).toContain("gpu-check: seed 5, 3 launches: 2 the same, 1 different, 0 not run\n");
  });
});
