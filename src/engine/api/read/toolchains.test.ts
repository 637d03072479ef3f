import { describe, expect, it } from "vitest";
import { readText } from "./read.ts";
import { recogniseToolchain, TOOLCHAINS } from "./toolchains.ts";

const TEXTS: readonly (readonly [id: string, line: number, text: string])[] = [
  ["cuda", 2, "// a kernel\n__global__ void k(int *p) { *p = 1; }\n"],
  ["cuda", 3, "#define N 4\nvoid f() {\n  k<<<1, 32>>>(p);\n}\n"],
  ["cuda", 2, 'extern "C"\n__device__ int f(int a) { return a; }\n'],
  ["c", 1, "#include <stdio.h>\nint main(void) { return 0; }\n"],
  ["c", 2, "\nstatic inline unsigned gcd(unsigned a, unsigned b)\n{\n  return b ? gcd(b, a % b) : a;\n}\n"],
  ["llvm", 2, "; ModuleID = 'f.ll'\ndefine dso_local i32 @f(i32 noundef %0) local_unnamed_addr #0 {\n  ret i32 %0\n}\n"],
  ["nvvm", 1, 'target triple = "nvptx64-nvidia-cuda"\ndefine void @k() {\n  ret void\n}\n'],
  ["nvvm", 2, "define void @k() {\n  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret void\n}\n"],
  ["mlir", 1, "func.func @add(%a: i32, %b: i32) -> i32 {\n  %c = arith.addi %a, %b : i32\n  return %c : i32\n}\n"],
  ["mlir", 1, "module attributes {gpu.container_module} {\n  gpu.module @k {\n  }\n}\n"],
  ["triton", 1, "import triton\nimport triton.language as tl\n@triton.jit\ndef k(x):\n    pass\n"],
  ["triton", 2, "module {\n  tt.func public @k(%a: !tt.ptr<f32>) {\n    tt.return\n  }\n}\n"],
];

describe("texts that become PTX by a command", () => {
  it.each(TEXTS)("%s in line %i", (id, line, text) => {
    const found = recogniseToolchain(text);
    expect(found?.toolchain.id).toBe(id);
    expect(found?.line).toBe(line);
    const read = readText(text, null);
    expect(read).toMatchObject({ ok: false, wayIn: { id } });
    expect(read.diagnostics[0]).toMatchObject({ code: "API003", line });
    expect(read.diagnostics[0]?.suggestion).toBe(found?.toolchain.steps.find((s) => s.command !== null)?.command);
  });

  it("each has a command that a shell takes in one line", () => {
    for (const { steps } of TOOLCHAINS) {
      expect(steps.some((s) => s.command !== null)).toBe(true);
      for (const { command } of steps) expect(command ?? "").not.toMatch(/\n/);
    }
  });

  it("says nothing of programs that are read", () => {
    for (const text of [
      "@main {\n}\n",
      ".kernel k()\nBB0:\n EXIT\n",
      ".version 8.0\n.target sm_80\n.entry k() { ret; }\n",
      "lorem ipsum",
      "",
    ])
      expect(readText(text, null).wayIn ?? null).toBe(null);
  });

  it("takes no longer for texts made to be slow", () => {
    for (const unit of ["<<<", "int f(", "define @a(@a(", "module ", "%a = ", "int ", "__global", "\t", "\n "])
      expect(() => recogniseToolchain(unit.repeat(60_000))).not.toThrow();
  });
});
