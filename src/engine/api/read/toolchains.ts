/** Texts that are not read here, but become PTX by one command: what they are, and which command. */

export type ToolchainId = "cuda" | "c" | "llvm" | "nvvm" | "mlir" | "triton";

export interface ToolchainStep {
  readonly text: string;
  /** A line for a shell; null: something to do by hand. */
  readonly command: string | null;
}

export interface Toolchain {
  readonly id: ToolchainId;
  /** What the text is, as 'This looks like …'. */
  readonly what: string;
  readonly steps: readonly ToolchainStep[];
}

const step = (text: string, command: string | null = null): ToolchainStep => ({ text, command });

const PASTE = step("Then open kernel.ptx here, or paste its text.");

export const TOOLCHAINS: readonly Toolchain[] = [
  {
    id: "cuda",
    what: "CUDA C++ source",
    steps: [
      step("With the CUDA toolkit:", "nvcc -arch=sm_90 -lineinfo -ptx kernel.cu -o kernel.ptx"),
      step("With clang:", "clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -S kernel.cu -o kernel.ptx"),
      step(
        "Without either: godbolt.org, language CUDA C++, compiler NVCC with the option -arch=sm_90; under 'Add new' choose 'Device', then PTX, and copy the pane.",
      ),
      PASTE,
    ],
  },
  {
    id: "c",
    what: "C source",
    steps: [
      step("With clang:", "clang --target=nvptx64-nvidia-cuda -march=sm_90 -O1 -S kernel.c -o kernel.ptx"),
      step(
        "There is no C library on the GPU: remove includes such as stdio.h and the code that needs them. Each function becomes a .func.",
      ),
      step(
        "Without clang: godbolt.org, language C, a clang compiler with the options --target=nvptx64-nvidia-cuda -march=sm_90 -O1; copy the pane.",
      ),
      PASTE,
    ],
  },
  {
    id: "nvvm",
    what: "NVVM IR (LLVM IR for NVIDIA GPUs)",
    steps: [step("With LLVM:", "llc -mcpu=sm_90 kernel.ll -o kernel.ptx"), PASTE],
  },
  {
    id: "llvm",
    what: "LLVM IR",
    steps: [
      step("With LLVM, whatever target the text names:", "llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 kernel.ll -o kernel.ptx"),
      step("A function with the calling convention ptx_kernel becomes a kernel, any other one a .func."),
      PASTE,
    ],
  },
  {
    id: "mlir",
    what: "MLIR",
    steps: [
      step(
        "The GPU dialect, with MLIR's own pipeline; the PTX is in the gpu.binary that it prints:",
        'mlir-opt kernel.mlir --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_90 cubin-format=isa" -o kernel.out.mlir',
      ),
      step(
        "The LLVM and NVVM dialects:",
        "mlir-translate --mlir-to-llvmir kernel.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -o kernel.ptx",
      ),
      PASTE,
    ],
  },
  {
    id: "triton",
    what: "Triton",
    steps: [
      step(
        "Run the program once; Triton writes the PTX of each kernel to a folder:",
        "TRITON_KERNEL_DUMP=1 TRITON_DUMP_DIR=dump python kernel.py",
      ),
      step("Or print it from the compiled kernel in Python:", "python -c 'compiled = kernel[grid](*args); print(compiled.asm[\"ptx\"])'"),
      step("Then open the .ptx file here, or paste its text."),
    ],
  },
];

/** Only the head of a text is examined. */
const HEAD = 100_000;

/** By weight; each matches only this format. Repetitions are bounded, so that no text makes them slow. */
const MARKS: readonly (readonly [ToolchainId, RegExp])[] = [
  [
    "triton",
    /^[ \t]*(?:@triton\.(?:jit|autotune)\b|import triton\b|from triton\b)|^[ \t]*tt\.func\b|\bttg?\.(?:load|store|get_program_id)\b/m,
  ],
  ["mlir", /^[ \t]*(?:module\b[^\n]*\{|func\.func\b|gpu\.(?:module|func)\b|llvm\.func\b)|^[ \t]*%[\w#]+(?::\d+)? = "?[a-z_]+\.[a-z_]+"?/m],
  ["nvvm", /^target triple = "nvptx|@llvm\.nvvm\.|^!nvvm\.annotations|\bptx_kernel void @/m],
  ["llvm", /^define\b[^\n]{0,300}@[\w.$"]{1,300}\(|^target (?:triple|datalayout) = "/m],
  ["cuda", /\b__(?:global|device|shared|launch_bounds)__\b|<<<[^<>\n]{1,200}>>>|\b(?:threadIdx|blockIdx|blockDim)\.[xyz]\b/],
  [
    "c",
    /^[ \t]*#[ \t]*include[ \t]*[<"]|^[ \t]*(?:static[ \t]+|inline[ \t]+|extern[ \t]+)*(?:void|int|unsigned|long|float|double|char|size_t)[ \t*]{1,20}\w{1,200}[ \t]{0,20}\([^;{}]{0,1000}\)[ \t\n]{0,20}\{/m,
  ],
];

/** The toolchain for a text; null when it is none of these. `line` is 1-based. */
export function recogniseToolchain(text: string): { readonly toolchain: Toolchain; readonly line: number } | null {
  const head = text.slice(0, HEAD);
  for (const [id, mark] of MARKS) {
    const found = mark.exec(head);
    const toolchain = TOOLCHAINS.find((w) => w.id === id);
    if (found !== null && toolchain !== undefined) {
      const blank = /^\s*/.exec(found[0])?.[0].length ?? 0;
      return { toolchain, line: head.slice(0, found.index + blank).split("\n").length };
    }
  }
  return null;
}
