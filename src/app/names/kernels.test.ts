import { describe, expect, it } from "vitest";
import { shortNames } from "./kernels.ts";
import { readMangled } from "./mangled.ts";

const shown = (names: readonly string[]): readonly string[] => names.map((name) => shortNames(names).get(name) ?? "none");

describe("short names of kernels", () => {
  it("shows names that are short and not mangled as they are", () => {
    expect(shown(["five_blocks", "two_adds"])).toEqual(["five_blocks", "two_adds"]);
    expect(shown(["_Znotmangled"])).toEqual(["_Znotmangled"]);
    expect(shown(["_Z99short"])).toEqual(["_Z99short"]);
  });

  it("shows of a mangled name its own name, and of those that share it what differs", () => {
    expect(shown(["_ZN1x4onlyEPi", "_Z4packIJifEEvDpT_"])).toEqual(["only", "pack"]);
    // As nvcc names them.
    expect(
      shown([
        "_ZN3app6detail13reduce_kernelIfLi128E3AddEEvPKT_PS3_i",
        "_ZN3app6detail13reduce_kernelIfLi256E3AddEEvPKT_PS3_i",
        "_ZN3app6detail13reduce_kernelIdLi128E3MulEEvPKT_PS3_i",
        "_ZN3app6detail4scanILb1EL4Mode0EEEvPf",
        "_ZN3app6detail4scanILb0EL4Mode1EEEvPf",
        "_Z6vecaddPKfPf",
        "_Z6vecaddPKdPd",
      ]),
    ).toEqual([
      "reduce_kernel ‹float, 128, Add›",
      "reduce_kernel ‹float, 256, Add›",
      "reduce_kernel ‹double, 128, Mul›",
      "scan ‹true, 0›",
      "scan ‹false, 1›",
      "vecadd ‹float, float›",
      "vecadd ‹double, double›",
    ]);
    expect(shown(["_Z1fIi3AddfEvv", "_Z1fIj3AdddEvv"])).toEqual(["f ‹int, float›", "f ‹unsigned, double›"]);
    expect(shown(["_Z4gemmILi1ELi1EEvPK6__halfS2_Pfiii", "_Z4gemmILi2ELi1EEvPK6__halfS2_Pfiii"])).toEqual(["gemm ‹1›", "gemm ‹2›"]);
  });

  it("shortens long names in the middle, keeps what differs, and never shows two names as one", () => {
    const long = (end: string) => `fused_kernel_with_a_name_that_a_compiler_has_made_${end}`;
    const names = [long("float_v1"), long("float_v2"), long("half_v1")];
    expect(shown(names)).toEqual(["fused_ke…float_v1", "fused_ke…float_v2", "fused_ke…half_v1"]);
    // What differs only where nothing is read: in a substitution.
    const alike = ["_Z1fI1AEvT_S0_", "_Z1fI1AEvT_S1_"];
    expect(shown(alike)).toEqual(["f #1", "f #2"]);
    const many = Array.from({ length: 40 }, (_, i) => `_ZN3cub6KernelINS_6PolicyILi${i}EEEiEEvv`);
    expect(new Set(shown(many)).size).toBe(40);
    for (const name of shown(many)) expect(name.length).toBeLessThan(70);
  });

  it("leaves out the hash of a Rust name, and reads any text without an end", () => {
    expect(readMangled("_ZN4core3foo17h0123456789abcdefE")?.base).toBe("foo");
    for (const text of ["_Z", "_ZE", "_ZNE", "_ZN1aILb", "_ZL", "_ZN1aIL1bn5EEE", "_Z1aSS", "_Z1a\u0000"]) readMangled(text);
  });
});
