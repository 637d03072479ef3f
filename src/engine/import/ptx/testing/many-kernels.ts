/** One PTX module of many kernels, as long as one likes: what a compiler makes of a library, without a compiler. */

/** Kernel `k0`, `k1`, …; of `rounds` diamonds each, about 14 instructions a round. Every third one calls a function at the end. */
export function manyKernels(count: number, rounds: number): string {
  const kernels = Array.from({ length: count }, (_, k) => kernel(k, rounds));
  return `${[HEAD, "", ...kernels, HELPER].join("\n")}\n`;
}

const HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n.func (.param .b32 r) helper(.param .b32 x);\n.global .align 4 .b8 table[64];";

const HELPER = [
  ".func (.param .b32 r) helper(.param .b32 x)",
  "{",
  "    .reg .b32 %r<4>;",
  "    ld.param.u32 %r1, [x];",
  "    mad.lo.s32 %r2, %r1, %r1, 7;",
  "    st.param.b32 [r], %r2;",
  "    ret;",
  "}",
].join("\n");

function kernel(k: number, rounds: number): string {
  const body: string[] = [];
  for (let i = 0; i < rounds; i++) {
    const [a, b, c, d] = [4 * i + 4, 4 * i + 5, 4 * i + 6, 4 * i + 7];
    const last = i === 0 ? "%r1" : `%r${4 * i + 3}`;
    body.push(
      `    // Round ${i}: "a string", a brace { and what looks like .entry k${k}_${i}`,
      `    mul.wide.s32 %rd${i + 3}, ${last}, 4;`,
      `    add.s64 %rd2, %rd1, %rd${i + 3};`,
      `    ld.global.u32 %r${a}, [%rd2+${4 * i}];`,
      `    add.s32 %r${b}, %r${a}, ${i + k};`,
      `    add.s32 %r${c}, %r${a}, ${i + k};`,
      `    setp.lt.s32 %p${i + 1}, %r${b}, ${17 * i + 3};`,
      `    mov.u32 %r${d}, %r${c};`,
      `    @%p${i + 1} bra $L_${k}_${i};`,
      `    xor.b32 %r${d}, %r${c}, %r${b};`,
      `    add.s32 %r${d}, %r${d}, %r2;`,
      `    st.global.u32 [%rd2+${4 * i}], %r${d};`,
      `$L_${k}_${i}:`,
    );
  }
  const call = [
    "    {",
    "    .param .b32 x0;",
    "    .param .b32 r0;",
    "    st.param.b32 [x0], %r1;",
    "    call.uni (r0), helper, (x0);",
    "    ld.param.b32 %r3, [r0];",
    "    st.global.u32 [%rd1], %r3;",
    "    }",
  ];
  return [
    `.visible .entry k${k}(`,
    "    .param .u64 p,",
    "    .param .u32 n",
    ")",
    "{",
    `    .reg .pred %p<${rounds + 1}>;`,
    `    .reg .b32 %r<${4 * rounds + 4}>;`,
    `    .reg .b64 %rd<${rounds + 3}>;`,
    "    ld.param.u64 %rd1, [p];",
    "    ld.param.u32 %r2, [n];",
    "    mov.u32 %r1, %tid.x;",
    ...body,
    ...(k % 3 === 0 ? call : []),
    "    ret;",
    "}",
    "",
  ].join("\n");
}
