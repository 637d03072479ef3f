/** Memory on the stack: what a kernel allocates as it runs is its own, aligned, and given back. */

import { expect, it } from "vitest";
import { importPtx } from "../import.ts";
import { PtxReading } from "../reading.ts";
import { runPtx } from "../testing/run-ptx.ts";

const kernel = (body: string, before = "", version = "7.3"): string => `.version ${version}
.target sm_80
.address_size 64
${before}
.visible .entry k(.param .u64 out, .param .u32 n) {
  .reg .u64 %rd<9>; .reg .u32 %r<9>; .reg .pred %p<3>;
  .local .align 4 .u32 own[2];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  cvt.u64.u32 %rd2, %r1;
  ${body}
  ret;
}`;

const opaqueOf = (text: string): number => importPtx(text).functions.reduce((sum, fn) => sum + fn.opaque, 0);

function results(text: string, n: number, words = 6): readonly number[] {
  const out = new Uint32Array(words);
  const imported = importPtx(text);
  expect(imported.diagnostics).toEqual([]);
  expect(opaqueOf(text)).toBe(0);
  const { status } = runPtx(imported, [out, n], 1);
  expect(status).toBe("ok");
  return [...out];
}

it("two allocations and a variable do not overlap; one begins where its alignment says", () => {
  const text = kernel(`st.local.u32 [own+4], 7;
    alloca.u64 %rd3, %rd2;
    alloca.u64 %rd4, 8, 64;
    st.local.u32 [%rd3], 1;
    st.local.u32 [%rd4], 2;
    st.local.u32 [%rd4+4], 3;
    ld.local.u32 %r2, [own+4];
    ld.local.u32 %r3, [%rd3];
    ld.local.u32 %r4, [%rd4];
    st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r1};
    and.b64 %rd5, %rd4, 63;
    st.global.u64 [%rd1+16], %rd5;`);
  expect(results(text, 5)).toEqual([7, 1, 2, 5, 0, 0]);
});

it("what is given back is allocated again, in a loop", () => {
  const text = kernel(`mov.u32 %r5, 0;
  loop:
    stacksave.u64 %rd5;
    alloca.u64 %rd3, 512;
    st.local.u32 [%rd3], %r5;
    ld.local.u32 %r6, [%rd3];
    stackrestore.u64 %rd5;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, %r1;
    @%p1 bra loop;
    st.global.u32 [%rd1], %r6;
    cvta.local.u64 %rd6, %rd3;
    ld.u32 %r7, [%rd6];
    st.global.u32 [%rd1+4], %r7;`);
  expect(results(text, 40, 2)).toEqual([39, 39]);
});

it("the size may be in the register that is written, and the allocation may have a guard", () => {
  const text = kernel(`setp.gt.u32 %p1, %r1, 100;
    stacksave.u32 %r2;
    @%p1 alloca.u64 %rd2, %rd2;
    stacksave.u32 %r3;
    sub.u32 %r4, %r3, %r2;
    st.global.u32 [%rd1], %r4;`);
  expect(results(text, 24, 1)).toEqual([0]);
  expect(results(text, 128, 1)).toEqual([128]);
});

it("stays opaque in a function, whose stack begins where its caller's ends, and where an alignment is no power of two", () => {
  const inFunction = kernel("call helper;", ".func helper { .reg .u64 %rd<2>; alloca.u64 %rd1, 8; ret; }");
  expect(opaqueOf(inFunction)).toBe(1);
  expect(opaqueOf(kernel("alloca.u64 %rd3, 8, 3;"))).toBe(1);
});

it("is refused before PTX 7.3", () => {
  expect(importPtx(kernel("alloca.u64 %rd3, 8;", "", "7.2")).diagnostics.map(({ message }) => message)).toEqual([
    expect.stringContaining("7.3"),
  ]);
});

it("is the same whatever function of a text is read first", () => {
  const text = `${kernel("alloca.u64 %rd3, 8; st.local.u32 [%rd3], 1;")}
.visible .entry second(.param .u64 out) { .reg .u64 %rd<3>; .local .u32 more[9]; alloca.u64 %rd1, 4; st.local.u32 [more], 2; ret; }`;
  const reading = new PtxReading(text, {});
  reading.take(1);
  expect(reading.finish().module).toEqual(importPtx(text).module);
});
