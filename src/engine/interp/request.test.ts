import { describe, expect, it } from "vitest";
import { paramSymbol } from "../ir/param-symbol.ts";
import { runKernel } from "./interpreter.ts";
import { BUFFER_BASE } from "./memory.ts";
import { toExecReport } from "./report.ts";
import { parseExecRequest } from "./request.ts";
import { parse } from "./testing/eval.ts";

const { module, fn } = parse(`.func f(n: R0, w: RD1, a: RD2, p: P0, s: R3) -> R9, RD9, P0
BB0:
    MOV R9, R0
    MOV RD9, RD1
    RET
`);

const read = (args: string[], mem: string[] = [], threads = 1) => parseExecRequest({ threads, fuel: 100, args, mem }, fn);

/** The words that one --arg gives the registers n and w. */
function value(name: "n" | "w", text: string) {
  const { inputs, diagnostics } = read([`${name}=${text}`]);
  expect(diagnostics).toEqual([]);
  return inputs!.args[name === "n" ? 0 : 1];
}

describe("a parameter in the constant bank", () => {
  const box = paramSymbol("f", "box", { size: 8, align: 4, offset: 0x218 });
  const give = (args: string[], mem: string[]) => parseExecRequest({ threads: 1, fuel: 1, args, mem }, fn, [box]);

  it("is given its bytes as a buffer is, or its value", () => {
    const bytes = (args: string[], mem: string[]) => give(args, mem).inputs?.paramBytes?.map((p) => [p.offset, ...p.bytes]);
    expect(bytes([], ["box=hex:0102"])).toEqual([[0x218, 1, 2, 0, 0, 0, 0, 0, 0]]);
    expect(bytes([], ["box=i32:1,2"])).toEqual([[0x218, 1, 0, 0, 0, 2, 0, 0, 0]]);
    expect(bytes(["box=-2"], [])).toEqual([[0x218, 0xfe, ...Array(7).fill(0xff)]]);
    expect(bytes([], [])).toBeUndefined();
  });

  it("is named among the parameters, and given once, with no more bytes than it has", () => {
    const said = (args: string[], mem: string[]) => give(args, mem).diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect(said([], ["bix=1"])).toEqual(["EXE004 f has no parameter bix; it has n, w, a, p, s, box"]);
    expect(said([], ["box=8", "box=8"])).toEqual(["EXE005 box is given twice"]);
    expect(said([], ["box=i32:1,2,3"])).toEqual(["EXE008 box has 8 bytes, not 12"]);
    const struct = paramSymbol("f", "box", { size: 12, align: 4, offset: 0 });
    const { diagnostics } = parseExecRequest({ threads: 1, fuel: 1, args: ["box=1"], mem: [] }, fn, [struct]);
    expect(diagnostics[0]?.message).toBe("this parameter has 12 bytes: give them as memory, hex:… or TYPE:v,v,…");
  });
});

describe("parseExecRequest", () => {
  it.each([
    ["n", "5", 5],
    ["n", "-1", 0xffffffff],
    ["n", "0x1f", 31],
    ["n", "u32:4294967295", 0xffffffff],
    ["n", "f32:1.5", 0x3fc00000],
    ["n", "f32:-inf", 0xff800000],
    ["w", "5", [5, 0]],
    ["w", "-2", [0xfffffffe, 0xffffffff]],
    ["w", "i32:-2", [0xfffffffe, 0xffffffff]],
    ["w", "u64:0x100000002", [2, 1]],
    ["w", "f64:1", [0, 0x3ff00000]],
  ] as const)("%s=%s", (name, text, want) => {
    expect(value(name, text)).toEqual(want);
  });

  it("reads special registers, by PTX's names too", () => {
    const sregs = (...given: string[]) => parseExecRequest({ threads: 1, fuel: 1, args: [], mem: [], sregs: given }, fn);
    const { inputs } = sregs("%envreg3=5", "SR_NSMID=0x10", "%smid=-1", "%lanemask_lt=7", "%cluster_ctaid.x=2");
    expect([...inputs!.specials!]).toEqual([
      ["SR_ENVREG3", 5],
      ["SR_NSMID", 16],
      ["SR_VIRTUALSMID", 0xffffffff],
      ["SR_LTMASK", 7],
      ["SR_CLUSTER_CTAID.X", 2],
    ]);
    const codes = (...given: string[]) => sregs(...given).diagnostics.map(({ code, line, suggestion }) => [code, line, suggestion]);
    expect(codes("%envreg3")).toEqual([["EXE003", 1, null]]);
    expect(codes("%envreg3=1", "%evreg4=5")).toEqual([["EXE010", 2, "SR_ENVREG4"]]);
    expect(codes("%envreg3=x")).toEqual([["EXE006", 1, null]]);
    expect(codes("%envreg3=1", "SR_ENVREG3=1")).toEqual([["EXE005", 2, null]]);
  });

  it("reads predicates", () => {
    expect(read(["p=true"]).inputs!.args[3]).toBe(1);
    expect(read(["p=0"]).inputs!.args[3]).toBe(0);
  });

  it("places buffers apart and puts their addresses into the registers, wide or not", () => {
    const { inputs } = read([], ["a=4096", "s=i32:1,-2, 3"]);
    const [a, s] = inputs!.buffers;
    expect([a!.name, a!.bytes.length, a!.base]).toEqual(["a", 4096, BUFFER_BASE]);
    expect([...s!.bytes]).toEqual([1, 0, 0, 0, 254, 255, 255, 255, 3, 0, 0, 0]);
    expect(s!.base).toBeGreaterThan(a!.base + 4096);
    expect(s!.base % 256).toBe(0);
    expect([inputs!.args[2], inputs!.args[4]]).toEqual([[a!.base, 0], s!.base]);
  });

  it("reads contents", () => {
    const bytes = (text: string) => [...read([], [`a=${text}`]).inputs!.buffers[0]!.bytes];
    expect(bytes("hex:00ff10")).toEqual([0, 255, 16]);
    expect(bytes("f32:1,0.5")).toEqual([0, 0, 128, 63, 0, 0, 0, 63]);
    expect(bytes("u16:1,65535")).toEqual([1, 0, 255, 255]);
    expect(bytes("u64:1")).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it.each([
    [["n"], [], "EXE003", 1, 1],
    [["m=5"], [], "EXE004", 1, 1],
    [["n=5", "n=6"], [], "EXE005", 2, 1],
    [["n=x"], [], "EXE006", 1, 3],
    [["n= 99999999999"], [], "EXE006", 1, 4],
    [["n=u64:1"], [], "EXE006", 1, 3],
    [["n=i7:1"], [], "EXE006", 1, 3],
    [["n=5"], ["p=4"], "EXE007", 2, 1],
    [[], ["a=hex:0"], "EXE008", 1, 3],
    [[], ["a=i32:1,,2"], "EXE008", 1, 3],
    [[], ["a=zzz"], "EXE008", 1, 3],
    [[], ["a=999999999999"], "EXE008", 1, 3],
    [[], ["a=200000000", "w=200000000"], "EXE009", 2, 3],
  ])("%j %j is refused with %s", (args, mem, code, line, column) => {
    const { inputs, diagnostics } = read(args, mem);
    expect(inputs).toBeNull();
    expect(diagnostics[0]).toMatchObject({ code, line, column, severity: "error" });
  });

  it("refuses impossible numbers of threads", () => {
    for (const threads of [0, 1025, 1.5]) expect(read([], [], threads).diagnostics[0]!.code).toBe("EXE001");
  });
});

describe("toExecReport", () => {
  it("shows registers by thread, memory in hex, and what happened", () => {
    const { inputs } = read(["n=-1", "w=u64:18446744073709551615", "p=true"], ["a=hex:00ff"], 2);
    const report = toExecReport(fn, runKernel(module, fn, inputs!));
    expect(report).toMatchObject({ status: "ok", at: null, memory: { a: "00ff" } });
    const lane = { R9: 4294967295, RD9: "18446744073709551615", P0: true };
    expect(report.returns).toEqual([lane, lane]);
    expect(report.heat).toEqual([{ block: 0, executions: 1, divergences: 0 }]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("says where a run stopped", () => {
    const bad = parse(".kernel k()\nBB7:\n    S2R R1, SR_TID.X\n    LDG R1, [R1]\n    EXIT\n");
    const report = toExecReport(bad.fn, runKernel(bad.module, bad.fn, { threads: 40, fuel: 9, args: [], buffers: [] }));
    expect(report.status).toBe("trap");
    expect(report.at).toEqual({ block: "BB7", instruction: bad.fn.blocks[0]!.insts[1]!.id, lane: 0 });
    expect(report.message).toContain("'LDG R1, [R1]'");
    expect(report.returns).toEqual(Array.from({ length: 40 }, () => ({})));
  });
});
