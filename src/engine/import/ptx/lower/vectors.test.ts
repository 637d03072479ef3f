/** Registers that are vectors, whole and by part. */

import { expect, it } from "vitest";
import { importPtx } from "../import.ts";
import { runPtx } from "../testing/run-ptx.ts";

const kernel = (code: string, before = ""): string => `.version 7.0\n.target sm_80\n.address_size 64\n${before}
.visible .entry k(.param .u64 buf) {
  .reg .v4 .u32 q, p; .reg .v2 .f32 f; .reg .b32 %r<9>; .reg .b64 %rd<3>; .shared .align 16 .b8 sh[64];
  ld.param.u64 %rd1, [buf];
  ${code}
  ret; }`;

function run(code: string, before = ""): number[] {
  const text = kernel(code, before);
  const { diagnostics, functions } = importPtx(text);
  expect(diagnostics).toEqual([]);
  expect(functions.map(({ opaque }) => opaque)).toEqual(functions.map(() => 0));
  const buffer = Uint32Array.of(1, 2, 3, 4, 0, 0, 0, 0);
  const { status, message } = runPtx(text, [buffer], 1);
  expect([status, message]).toEqual(["ok", ""]);
  return [...buffer];
}

it("a load and a store of the whole, a change of one part", () => {
  expect(run("ld.global.v4.u32 q, [%rd1]; add.u32 q.y, q.y, 5; st.global.v4.u32 [%rd1+16], q;")).toEqual([1, 2, 3, 4, 1, 7, 3, 4]);
});

it("parts by both names, packed and mixed with others", () => {
  expect(
    run(
      "ld.global.v4.u32 q, [%rd1]; mov.u32 q.r, q.a; mov.b64 %rd2, {q.b, q.g}; st.global.v2.u32 [%rd1+16], {q.x, 9}; st.global.u64 [%rd1+24], %rd2;",
    ),
  ).toEqual([1, 2, 3, 4, 4, 9, 3, 2]);
});

it("moves of the whole, over its own parts, and of numbers", () => {
  const code = "ld.global.v4.u32 q, [%rd1]; mov.v4.u32 q, {q.w, q.z, q.y, q.x}; mov.v4.u32 p, q;";
  expect(run(`${code} st.global.v4.u32 [%rd1+16], p;`)).toEqual([1, 2, 3, 4, 4, 3, 2, 1]);
  expect(run("mov.v4.u32 q, {5, 6, 7, 8}; st.global.v4.u32 [%rd1], q;")).toEqual([5, 6, 7, 8, 0, 0, 0, 0]);
});

it("a special register as a whole", () => {
  expect(run("mov.v4.u32 q, %ntid; st.global.v4.u32 [%rd1], q;")).toEqual([1, 1, 1, 0, 0, 0, 0, 0]);
});

it("floats, shared memory, and a part of a part's copy", () => {
  const code = "mov.v2.f32 f, {1.5, 0f40000000}; st.shared.v2.f32 [sh], f; ld.shared.v2.b32 {%r1, %r2}, [sh];";
  expect(run(`${code} st.global.v2.b32 [%rd1], {%r1, %r2};`).slice(0, 2)).toEqual([0x3fc00000, 0x40000000]);
});

it("as an argument and a result", () => {
  const callee = `.func (.param .align 16 .b8 r[16]) swap(.param .align 16 .b8 a[16]) {
    .reg .v4 .u32 v; ld.param.v4.u32 v, [a]; st.param.v4.u32 [r], {v.y, v.x, v.w, v.z}; ret; }`;
  const code = `ld.global.v4.u32 q, [%rd1]; { .param .align 16 .b8 x[16]; .param .align 16 .b8 y[16];
    st.param.v4.u32 [x], q; call (y), swap, (x); ld.param.v4.u32 q, [y]; } st.global.v4.u32 [%rd1+16], q;`;
  expect(run(code, callee)).toEqual([1, 2, 3, 4, 2, 1, 4, 3]);
});

it("a vector where a scalar is expected is refused", () => {
  const errors = (code: string) => importPtx(kernel(code)).diagnostics.map(({ code: its }) => its);
  expect(errors("mov.u32 q, q;")).toEqual(["PTX026"]);
  expect(errors("ld.global.v2.u32 q, [%rd1];")).toEqual(["PTX026"]);
});
