/** Asynchronous copies, votes at barriers, spaces of addresses, ordered atomics: their translation, and what they do when executed. */

import { describe, expect, it } from "vitest";
import { printFunc } from "../../../text/printer.ts";
import { importPtx } from "../import.ts";
import { runPtx } from "../testing/run-ptx.ts";

const kernel = (code: string): string => `.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 tile[1024];
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f64 %fd<9>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd3, %r1, 16, %rd1; mad.wide.u32 %rd4, %r1, 4, %rd2;
  ${code}
  ret; }`;

/** The lines of Ori text, without head, labels, parameters and addresses. */
function lines(code: string): string[] {
  const { module, diagnostics } = importPtx(kernel(code));
  expect(diagnostics).toEqual([]);
  return printFunc(module.funcs[0]!)
    .split("\n")
    .map((line) => line.trim().replace(/ +/g, " "))
    .slice(3, -2)
    .filter((line) => !/^(?:S2R|MOV|IMAD|BB)/.test(line));
}

/** What the threads stored, a word each. */
function run(code: string, threads = 64): number[] {
  const input = Uint32Array.from({ length: 4 * threads }, (_, i) => 0x01010101 * (i % 251));
  const out = new Uint32Array(threads);
  const outcome = runPtx(kernel(code), [input, out], threads);
  expect([outcome.status, outcome.message]).toEqual(["ok", ""]);
  return [...out];
}

describe("cp.async", () => {
  it("becomes a copy, its group, and the wait", () => {
    const code = `mov.u32 %r2, tile; cp.async.cg.shared.global.L2::128B [%r2+16], [%rd3], 16; cp.async.ca.shared.global [%r2], [%rd3+4], 8, %r1;
      cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all;`;
    expect(lines(code).slice(-6)).toEqual([
      "LDGSTS.128 [R1+0x10], [RD4]",
      "LDGSTS.64 [R1], [RD4+0x4], R0",
      "LDGDEPBAR",
      "DEPBAR 1",
      "LDGDEPBAR",
      "DEPBAR 0",
    ]);
  });

  it("brings the bytes, and zeros after them", () => {
    const staged = (copy: string): number[] =>
      run(`mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 16, %r2; ${copy} cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
        xor.b32 %r4, %r3, 16; ld.shared.u32 %r5, [%r4+12]; st.global.u32 [%rd4], %r5;`);
    const word = (t: number): number => 0x01010101 * ((4 * (t ^ 1) + 3) % 251);
    expect(staged("cp.async.cg.shared.global [%r3], [%rd3], 16;")).toEqual(Array.from({ length: 64 }, (_, t) => word(t)));
    expect(staged("mov.u32 %r6, 14; cp.async.cg.shared.global [%r3], [%rd3], 16, %r6;")).toEqual(
      Array.from({ length: 64 }, (_, t) => word(t) & 0xffff),
    );
  });

  it.each([
    "cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd3], 16, %rd2;",
    "cp.async.ca.shared.global [%r1], [%rd3], 4, %p1;",
    "cp.async.bulk.wait_group 0;",
  ])("%s stays opaque, and a barrier", (code) => {
    const { module } = importPtx(kernel(code));
    expect(printFunc(module.funcs[0]!)).toContain("OPAQUE.barrier");
  });
});

describe("bar.red", () => {
  it("becomes one instruction with its result", () => {
    const code = "setp.lt.u32 %p1, %r1, 9; bar.red.popc.u32 %r2, 0, %p1; barrier.cta.red.and.pred %p2, 1, 64, !%p1;";
    expect(lines(code).slice(-2)).toEqual(["BARRED.POPC R1, 0, P0", "BARRED.AND P1, 1, 64, !P0"]);
  });

  it("tells every thread of the block the same", () => {
    const code = "setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r2, 0, %p1; bar.red.or.pred %p2, 0, %p1; @!%p2 mov.u32 %r2, 0;";
    expect(run(`${code} st.global.u32 [%rd4], %r2;`)).toEqual(Array.from({ length: 64 }, () => 40));
  });
});

describe("the rest", () => {
  it("making a cache policy is opaque and computes only", () => {
    const { module } = importPtx(kernel("createpolicy.fractional.L2::evict_last.b64 %rd5, 1.0;"));
    expect(printFunc(module.funcs[0]!)).toContain("OPAQUE.pure");
  });

  it("isspacep asks where an address lies", () => {
    const code = `mov.u32 %r2, tile; cvt.u64.u32 %rd5, %r2; cvta.shared.u64 %rd6, %rd5; isspacep.shared.u64 %p1, %rd6; isspacep.global.u64 %p2, %rd6;
      isspacep.global.u64 %p3, %rd1; selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 2, 0, %p2; selp.u32 %r5, 4, 0, %p3;
      or.b32 %r6, %r3, %r4; or.b32 %r6, %r6, %r5; st.global.u32 [%rd4], %r6;`;
    expect(run(code, 2)).toEqual([5, 5]);
  });

  it("rsqrt of doubles is one instruction; the one of upper halves stays opaque", () => {
    expect(lines("rsqrt.approx.f64 %fd1, %fd2;").at(-1)).toBe("DRSQ RD6, RD7");
    const half = importPtx(kernel("rsqrt.approx.ftz.f64 %fd1, %fd2;"));
    expect(printFunc(half.module.funcs[0]!)).toContain("OPAQUE.pure");
    expect(
      run(
        "mov.f64 %fd1, 0d4030000000000000; rsqrt.approx.f64 %fd2, %fd1; mul.f64 %fd2, %fd2, 0d4059000000000000; cvt.rzi.u32.f64 %r2, %fd2; st.global.u32 [%rd4], %r2;",
        1,
      ),
    ).toEqual([25]);
  });

  it("atomics keep their order to other accesses by fences of their scope", () => {
    const fenced = (op: string): string[] => lines(`${op} %r2, [%rd1], %r1;`);
    const plain = ["ATOM.ADD R1, [RD2], R0"];
    expect(fenced("atom.global.add.u32")).toEqual(plain);
    expect(fenced("atom.relaxed.gpu.global.add.u32")).toEqual(plain);
    expect(fenced("atom.acquire.cta.global.add.u32")).toEqual([...plain, "MEMBAR.ALL.CTA"]);
    expect(fenced("atom.release.sys.global.add.u32")).toEqual(["MEMBAR.ALL.SYS", ...plain]);
    expect(fenced("atom.acq_rel.gpu.global.add.u32")).toEqual(["MEMBAR.ALL.GPU", ...plain, "MEMBAR.ALL.GPU"]);
    expect(lines("red.release.gpu.global.add.u32 [%rd1], %r1;")).toEqual(["MEMBAR.ALL.GPU", "RED.ADD [RD2], R0"]);
    expect(lines("red.shared.max.s32 [tile+4], %r1;")).toEqual(["ATOMS.MAX.S32 RZ, [0x4], R0"]);
  });

  it("atomics on generic addresses find the space by the address", () => {
    expect(lines("atom.acquire.gpu.add.u32 %r2, [%rd1], %r1;").slice(-2)).toEqual(["ATOM.ADD.GENERIC R1, [RD2], R0", "MEMBAR.ALL.GPU"]);
    expect(lines("red.relaxed.sys.max.u64 [%rd1], %rd2;").at(-1)).toBe("RED.MAX.64.GENERIC [RD2], RD3");
    const code = `mov.u32 %r2, tile; cvt.u64.u32 %rd5, %r2; cvta.shared.u64 %rd6, %rd5; st.shared.u32 [%r2], 40; atom.add.u32 %r3, [%rd6], 2; red.add.u32 [%rd6], 3;
      ld.shared.u32 %r4, [%r2]; mad.lo.u32 %r5, %r3, 1000, %r4; st.global.u32 [%rd4], %r5; red.add.u32 [%rd4], 1;`;
    expect(run(code, 1)).toEqual([40046]);
  });

  it("nanosleep takes no time", () => {
    expect(lines("nanosleep.u32 %r1; nanosleep.u32 20;").slice(-2)).toEqual(["NANOSLEEP R0", "NANOSLEEP 20"]);
  });
});

describe("mbarrier", () => {
  const counted = "mbarrier.init.shared::cta.b64 [%r2], 2;";

  it("becomes counted arrivals and questions for a phase", () => {
    const code = `mov.u32 %r2, tile; ${counted} mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [%r2]; mbarrier.arrive.shared.b64 _, [%r2+8], 3;
      mbarrier.arrive.expect_tx.relaxed.cta.shared.b64 _, [%r2], 64; mbarrier.complete_tx.shared.b64 [%r2], 64; mbarrier.arrive_drop.b64 %rd6, [%rd3];
      mbarrier.test_wait.shared.b64 %p1, [%r2], %rd5; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r2], %r1, 1000;
      mbarrier.pending_count.b64 %r3, %rd5; mbarrier.inval.shared.b64 [%r2];`;
    expect(lines(code).slice(-11)).toEqual([
      "SYNCS.INIT RZ, [R1], 2",
      "SYNCS.ARRIVE RD6, [R1]",
      "SYNCS.ARRIVE RZ, [R1+0x8], 3",
      "SYNCS.ARRIVE RZ, [R1], 1, 64",
      "SYNCS.COMPLETE RZ, [R1], 64",
      "SYNCS.DROP RD7, [RD4]",
      "PHASECHK.64 P0, [R1], RD6",
      "PHASECHK P1, [R1], R0",
      "UNPACK.LO R2, RD6",
      "LOP.AND R3, R2, 0xfffff",
      "SYNCS.INVAL RZ, [R1]",
    ]);
  });

  it.each([
    "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3], 16, [%r2];",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd3];",
  ])("stays opaque in a function in which %s may end a phase", (code) => {
    const { module } = importPtx(kernel(`${counted} ${code}`));
    const text = printFunc(module.funcs[0]!);
    expect(text).toContain('"mbarrier.init.shared::cta.b64 [%r2], 2"');
    expect(text).not.toContain("SYNCS");
  });

  // As nvcc 13 writes cuda::barrier for sm_80: a loop round test_wait.
  it("lets no thread read what its neighbour has not written yet, round after round", () => {
    const code = `mov.u32 %r2, tile; setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r2], 64;
      READY: bar.sync 0; mov.u32 %r9, 0; mov.u32 %r8, 0; mad.lo.u32 %r3, %r1, 4, %r2; xor.b32 %r4, %r1, 37; mad.lo.u32 %r4, %r4, 4, %r2;
      LOOP: mad.lo.u32 %r5, %r8, 100, %r1; st.shared.u32 [%r3+16], %r5; mbarrier.arrive.shared.b64 %rd5, [%r2];
      ONE: mbarrier.test_wait.shared.b64 %p2, [%r2], %rd5; @!%p2 bra ONE;
      ld.shared.u32 %r6, [%r4+16]; add.u32 %r9, %r9, %r6; and.b32 %r7, %r8, 1; mbarrier.arrive.shared.b64 _, [%r2];
      TWO: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 1; @!%p2 bra TWO;
      add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 3; @%p3 bra LOOP; st.global.u32 [%rd4], %r9;`;
    expect(run(code)).toEqual(Array.from({ length: 64 }, (_, t) => 3 * (t ^ 37) + 300));
  });

  it("is told of copies: they have come when their thread has arrived", () => {
    const code = `mov.u32 %r2, tile; setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r2], 32;
      READY: bar.sync 0; mad.lo.u32 %r3, %r1, 16, %r2; cp.async.ca.shared.global [%r3+16], [%rd3], 4;
      cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r2];
      ONE: mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra ONE;
      xor.b32 %r4, %r1, 5; mad.lo.u32 %r4, %r4, 16, %r2; ld.shared.u32 %r6, [%r4+16]; st.global.u32 [%rd4], %r6;`;
    expect(run(code, 32)).toEqual(Array.from({ length: 32 }, (_, t) => 0x01010101 * ((4 * (t ^ 5)) % 251)));
  });
});
