import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../features/commands.ts";
import type { ExportJson } from "../features/publish/cli/shapes.ts";
import type { AnalyzeJson, ExecJson, ImportJson, KnobJson, LinkJson, PhaseJson, RunJson, TraceJson } from "./shapes.ts";
import { cli as commandLine, type Outcome } from "./testing/cli.ts";

const LOOP = `.kernel sum(n: R0, a: RD1, out: RD2)
BB0:
    MOV     R4, 0
    MOV     R5, 0
BB1:
    ISETP.GE P0, R5, R0
@P0 BRA     BB4
    IADD    R4, R4, R5
    IADD    R5, R5, 1
    BRA     BB1
BB4:
    STG     [RD2], R4
    EXIT
`;

const cli = (argv: string, files: Readonly<Record<string, string>> = { "p.ori": LOOP }): Promise<Outcome> => commandLine(argv, files);

async function json<T>(argv: string, files?: Readonly<Record<string, string>>): Promise<T> {
  const { code, out, err } = await cli(`${argv} --json`, files);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as T;
}

describe("usage", () => {
  it.each(COMMAND_NAMES)("%s has help and takes --json", async (name) => {
    const { code, out } = await cli(`${name} --help`);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: oriscope ${name}`);
    expect(out).toContain("--json");
  });

  it.each([
    ["", 2, "Usage: oriscope COMMAND"],
    ["rnu p.ori", 2, "did you mean run?"],
    ["run", 2, "FILE is missing"],
    ["run p.ori more", 2, "unexpected argument 'more'"],
    ["run p.ori --verfy", 2, "did you mean --verify?"],
    ["run p.ori --emit orii", 2, "did you mean ori?"],
    ["run p.ori --until", 2, "needs a value"],
    ["run p.ori --json=1", 2, "does not take a value"],
    ["run p.ori --check x", 2, "takes an integer"],
    ["run p.ori --target sm_1", 2, "PIPE001"],
    ["run p.ori --knob Foo=1", 2, "KNOB002"],
    ["run p.ori --phases 15,zzz", 2, "PIPE004"],
    ["run p.ori --phases 15 --named-phases OriCopyProp", 2, "give one of them"],
    ["run p.ori -O9", 2, "PIPE002"],
    ["run p.ori --kernel sun", 2, "did you mean sum?"],
    ["run missing.ori", 1, "no such file"],
    ["trace p.ori", 2, "--phase is missing"],
    ["trace p.ori --phase 4", 2, "not modelled"],
    ["trace p.ori --phase 3 --times 0", 2, "--times takes an integer from 1 to 100"],
    ["import p.ori", 2, "--from"],
    ["unlink nonsense", 1, "not an Oriscope link"],
    ["link p.ori --step 4", 2, "--step needs --phase"],
  ])("%s ends with %i: %s", async (argv, code, message) => {
    const result = await cli(argv);
    expect(result.err).toContain(message);
    expect(result.code).toBe(code);
    expect(result.out).toBe("");
  });

  it("prints diagnostics with their place and ends with 1", async () => {
    const { code, out, err } = await cli("run p.ori", { "p.ori": LOOP.replace("IADD    R4, R4", "IADE    R4, R4") });
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toMatch(/^p\.ori:8:\d+: error ORI\d{3}: .+\n$/);
  });

  it("refuses what is no program with one clear message in front, and says where", async () => {
    const first = async (text: string, command = "run x") => {
      const { code, err } = await cli(command, { x: text });
      expect(code).toBe(1);
      return err.split("\n")[0];
    };
    expect(await first("")).toBe("x:1:1: error API004: The text contains no kernel.");
    expect(await first("\n\n", "import x")).toBe("x:1:1: error API004: The text contains no kernel.");
    expect(await first("\u007fELF\u0002\u0001")).toMatch(/^x:1:1: error API002: This is an ELF file/);
    expect(await first("\u0000\u0001\ufffd".repeat(500), "import x")).toMatch(/^x:1:1: error API002: This is binary data/);
    expect(await first("\t.text\n\t.globl\tf\nf:\n\tmovl\t%edi, %eax\n\tretq\n")).toMatch(
      /^x:4:1: error API003: This looks like x86 assembly/,
    );
    expect(await first("f:\n\ts_load_dword s0, s[4:5], 0x0\n\ts_endpgm\n")).toMatch(
      /^x:2:1: error API003: This looks like AMD GPU assembly/,
    );
    expect(await first("__global__ void k(int *p) { *p = 1; }\n")).toMatch(
      /^x:1:1: error API003: This looks like CUDA C\+\+ source: .* \[nvcc -arch/,
    );
    expect(await first(".kernel k()\n")).toMatch(/^x:1:9: error ORI007: k has no instructions/);
    expect(await first("lorem ipsum\n".repeat(200))).toMatch(/^x:1:1: error API003: No kernel was found/);
  });

  it("has a remark for a target without a record, whatever the format, once", async () => {
    const ptx = (sm: string) =>
      `.version 8.0\n.target ${sm}\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n.visible .entry l()\n{\n ret;\n}\n`;
    const sass = (sm: string) => `\tcode for ${sm}\n\t\tFunction : k\n        /*0000*/                   EXIT ;\n`;
    const ori = (sm: string) => `.target ${sm}\n${LOOP}`;
    for (const text of [ptx, sass, ori]) {
      for (const [sm, instead] of [
        ["sm_20", "sm_30, the oldest one known"],
        ["sm_86", "sm_80, the nearest older one"],
        ["sm_120", "sm_100, the nearest older one"],
      ] as const) {
        const { code, err } = await cli("run x", { x: text(sm) });
        const remarks = err.split("\n").filter((line) => line.includes("PIPE"));
        expect([code, remarks]).toEqual([0, [`oriscope: info PIPE006: Target ${sm} is not modelled; using ${instead}.`]]);
      }
    }
  });

  it.each([
    [".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 x;\n"],
    [".version 8.0\n.extern .func f(.param .b32 a);\n"],
    ["\tcode for sm_80\n\t.target\tsm_80\n"],
    [".target sm_80\n.symbol x global 4 4\n"],
  ])("takes a module without bodies: %j", async (text) => {
    for (const command of ["run x", "analyze x", "run x --json"]) {
      const { code, err } = await cli(command, { x: text });
      expect([code, err]).toEqual([0, expect.stringMatching(/^x:1:1: info API005: .*\n$/)]);
    }
    expect((await cli("trace x --phase 15", { x: text })).code).toBe(1);
    const target = /sm_\d+/.exec(text)?.[0] ?? "sm_90";
    expect(JSON.parse((await cli("run x --json", { x: text })).out)).toMatchObject({ target, level: 3, kernels: [] });
    expect(JSON.parse((await cli("run x --json --target sm_75 -O 1", { x: text })).out)).toMatchObject({ target: "sm_75", level: 1 });
  });

  it("caps the inputs of a check and says so", async () => {
    const { code, err, out } = await cli("run x --phases 15 --check 1000000000 --json", { x: ".kernel k()\nBB0:\n    EXIT\n" });
    expect(code).toBe(0);
    expect(err).toContain("PIPE009");
    expect(err).toContain("10000 inputs");
    expect(JSON.parse(out)).toMatchObject({ kernels: [{ phases: [{ id: "ori-branch-opt" }] }] });
  });

  it("says which target a module was compiled for", async () => {
    const text = `.target sm_90\n${LOOP}`;
    expect((await cli("run x", { x: text })).out).toMatch(/^\.target sm_90\n/);
    expect((await cli("run x --target sm_75", { x: text })).out).toMatch(/^\.target sm_75\n/);
    expect((await cli("run x --target sm_75", { x: LOOP })).out).toMatch(/^\.target sm_75\n/);
  });

  it("links a text with errors, and says so by its code", async () => {
    const { code, out, err } = await cli("link x", { x: ".kernel k()\nBB0:\n    FROB R1\n    EXIT\n" });
    expect([code, /^#/.test(out)]).toEqual([1, true]);
    expect(err).toContain("x:3:5: error ORI010");
    expect((await cli("link x --kernel kk", { x: ".kernel k()\nBB0:\n    EXIT\n" })).code).toBe(2);
  });

  it("recognises what it imports", async () => {
    const { code, out } = await cli("import x", { x: ".version 8.0\n.target sm_80\n.visible .entry k()\n{\n ret;\n}\n" });
    expect([code, out]).toEqual([0, expect.stringContaining(".kernel k()")]);
  });

  it("finds the error after any number of warnings", async () => {
    const tables = Array.from({ length: 150 }, (_, i) => `.table JT${i} base=0 default=A { A }\n`).join("");
    const ori = await cli("analyze -", { "-": `.kernel k(a: R0)\n${tables}A:\n    FROB R1\n    EXIT\n` });
    expect(ori.code).toBe(1);
    expect(ori.err).toContain("-:153:5: error ORI010");
    const noise = await cli("import - --from ptx", { "-": "FROB R1, R0;\n".repeat(150) });
    expect(noise.code).toBe(1);
    expect(noise.err).toContain("-:1:1: error PTX003");
  });

  it("shows everything after -- as it stands", async () => {
    expect((await cli("run -- --help")).err).toContain("no such file: --help");
  });
});

describe("JSON shapes", () => {
  it("phases", async () => {
    const rows = await json<readonly PhaseJson[]>("phases -O 1 --target sm_80");
    expect(rows.length).toBe(160);
    expect(Object.keys(rows[0]!)).toEqual(["number", "group", "id", "name", "modelled", "runs", "reason", "knobs"]);
    expect(rows[0]).toMatchObject({ number: null, group: "cicc", id: "branch-folding" });
    expect(rows.find((r) => r.number === 15)).toMatchObject({
      id: "ori-branch-opt",
      name: "OriBranchOpt",
      modelled: true,
      runs: false,
      reason: expect.stringContaining("level"),
    });
  });

  it("knobs", async () => {
    const rows = await json<readonly KnobJson[]>("knobs");
    expect(rows.find((r) => r.index === 464)).toBeDefined();
    for (const row of rows) expect(row.doc).toMatch(/\S/);
  });

  it("analyze", async () => {
    const { kernels } = await json<AnalyzeJson>("analyze p.ori");
    expect(kernels[0]).toMatchObject({
      name: "sum",
      violation: false,
      irreducible: false,
      loops: [{ header: "BB1", latches: ["BB1.1"], blocks: ["BB1", "BB1.1"], natural: true }],
      retreatingEdges: [["BB1.1", "BB1"]],
    });
    expect(kernels[0]!.blocks[1]).toEqual({
      label: "BB1",
      rpo: 2,
      idom: "BB0",
      ipdom: "BB4",
      preds: ["BB0", "BB1.1"],
      succs: ["BB4", "BB1.1"],
      loopHeader: true,
      inLoop: true,
      hasPred: true,
      loopDepth: 1,
    });
  });

  it("run", async () => {
    const value = await json<RunJson>("run p.ori --verify");
    expect(Object.keys(value)).toEqual(["engine", "target", "level", "kernels"]);
    const { phases, text } = value.kernels[0]!;
    const checked = await json<RunJson>("run p.ori --check 5 --phases 16", {
      "p.ori": LOOP.replace("MOV     R5, 0", "MOV     R5, 0\n    MOV     R7, 1"),
    });
    expect(checked.kernels[0]!.phases).toMatchObject([{ changed: true, check: { ok: true, counterexample: null } }]);
    expect(phases.length).toBe(160);
    expect(Object.keys(phases[0]!).slice(0, 13)).toEqual(
      "run phase id name ran reason changed blocks instructions matches rewrites ms check".split(" "),
    );
    expect((await cli("run - --phases ori-branch-opt", { "-": text })).code).toBe(0);
    expect((await json<RunJson>("run p.ori --phases 15 --emit json")).kernels[0]).toMatchObject({
      phases: [{ id: "ori-branch-opt" }],
      graph: { name: "sum" },
    });
  });

  it("trace", async () => {
    const { code, out } = await cli("trace p.ori --phase 3");
    expect(code).toBe(0);
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as TraceJson);
    expect(rows.map((r) => r.step)).toEqual(rows.map((_, i) => i));
    for (const row of rows)
      expect(Object.keys(row)).toEqual(expect.arrayContaining("step parent depth kind line sentence facts focus".split(" ")));
    expect(rows[0]).toMatchObject({ kind: "span", parent: -1, depth: 0, focus: { blocks: [], instructions: [] } });
    expect(await json<readonly TraceJson[]>("trace p.ori --phase AnalyzeControlFlow")).toEqual(rows);
  });

  it("exec", async () => {
    const value = await json<ExecJson>("exec p.ori --arg n=5 --mem out=8 --threads 1");
    expect(Object.keys(value)).toEqual(["status", "at", "message", "returns", "memory", "counters", "heat"]);
    expect(value).toMatchObject({ status: "ok", at: null, memory: { out: "0a00000000000000" } });
    expect(value.heat.find((h) => h.block === "BB1")).toEqual({ block: "BB1", executions: 6, divergences: 0 });
    const fn = ".func f(x: R0, p: RD1) -> R2, P0\nBB0:\n    LDG R2, [RD1+0x4]\n    ISETP.GT P0, R2, R0\n    RET\n";
    const files = { "f.ori": fn, "d.bin": "abcdefgh" };
    expect(await json<ExecJson>("exec f.ori --arg x=7 --mem p=@d.bin --threads 2", files)).toMatchObject({
      returns: [
        { R2: 0x68676665, P0: true },
        { R2: 0x68676665, P0: true },
      ],
    });
    const trap = await cli("exec f.ori --mem p=4 --json", files);
    expect(trap.code).toBe(1);
    expect(JSON.parse(trap.out)).toMatchObject({ status: "trap", at: { block: "BB0", lane: 0 } });
    expect((await cli("exec p.ori --arg n=0 --mem out=4 --threads 1")).out).toMatch(/^ok\n/);
    expect((await cli("exec f.ori --mem p=4", files)).out).toMatch(/^trap: (?!trap)/);
    const refused = await cli("exec p.ori --arg m=5");
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/^oriscope: error EXE004: sum has no parameter m/);
    expect((await cli("exec p.ori --threads 5000")).code).toBe(2);
  });

  it("exec gives a struct parameter its bytes, in the text and after phases", async () => {
    const struct = `.version 8.0\n.target sm_90\n.address_size 64\n.entry sum(.param .u64 out, .param .align 8 .b8 box[16])\n{
.reg .b32 %r<4>; .reg .b64 %rd<2>;\nld.param.u64 %rd1, [out];\nld.param.u32 %r1, [box+4];\nld.param.u32 %r2, [box+12];
add.u32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\nret;\n}\n`;
    const given = "--threads 1 --mem out=4 --mem box=i32:1,2,3,4 --json";
    for (const words of ["", "--after 84"]) {
      const report = JSON.parse((await cli(`exec s.ptx ${words} ${given}`, { "s.ptx": struct })).out) as ExecJson;
      expect(report).toMatchObject({ status: "ok", memory: { out: "06000000" } });
      expect(report.standIns).toBeUndefined();
    }
    const ori = (await cli("run s.ptx", { "s.ptx": struct })).out;
    expect(ori).toMatch(/^\.symbol sum\$box param 16 8 offset=\w+$/m);
    expect(JSON.parse((await cli(`exec s.ori ${given}`, { "s.ori": ori })).out)).toMatchObject({ memory: { out: "06000000" } });
  });

  it("exec marks what is made up, and says what it comes from", async () => {
    const text = '.kernel k(out: RD1)\nBB0:\n    OPAQUE.pure {R0}, {}, "foo"\n    STG [RD1+0x4], R0\n    EXIT\n';
    const value = await json<ExecJson>("exec k.ori --mem out=8 --threads 1", { "k.ori": text });
    expect(value.status).toBe("ok");
    expect(value.message).toBe("every thread ended; 1 of 2 words depends on the opaque instruction 'foo' (line 3)");
    expect(value.standIns).toMatchObject({ undecided: null, memory: { out: [{ from: 4, to: 8, source: 0 }] }, stores: [] });
    const { out } = await cli("exec k.ori --mem out=8 --threads 1", { "k.ori": text });
    expect(out).toMatch(
      /^ok: 1 of 2 words depends on the opaque instruction 'foo' \(line 3\)\nout: 0{8}\w{8}\n {2}bytes 4 to 7 are stand-ins: /,
    );
    const guessed = await cli("exec p.ori --mem out=4 --threads 1");
    expect(guessed.out).toMatch(/^ok, not decided: the branch \(line \d+\) depends on the parameter n, which is not given \(line 1\)/);
  });

  it("exec lets threads run that others wait for, from sm_70 on", async () => {
    const text = (target: string): string =>
      `.target ${target}\n.kernel k(lock: RD0)\nBB0:\n    MOV R5, 0\n    MOV R6, 1\nBB1:\n    ATOM.CAS R2, [RD0], R5, R6\n    ISETP.NE P0, R2, 0\n@P0 BRA BB1\nBB2:\n    STG.STRONG [RD0], R5\n    EXIT\n`;
    const exec = (target: string) => cli("exec k.ori --mem lock=4 --threads 4 --fuel 20000", { "k.ori": text(target) });
    expect((await exec("sm_90")).out).toMatch(/^ok\nlock: 00000000\n/);
    const old = await exec("sm_60");
    expect(old.code).toBe(1);
    expect(old.out).toMatch(/^fuel: the fuel ran out: lanes 1 to 3 of warp 0 run on in BB1, and lane 0 waits for them at BB2 /);
  });

  it("exec says once that it is a deadlock", async () => {
    const text =
      ".kernel k()\nA:\n    S2R R0, SR_TID.X\n    ISETP.LT P0, R0, 16\n    BSSY B0, C\n@P0 BRA C\nB:\n    BAR.SYNC 0\nC:\n    BSYNC B0\n    EXIT\n";
    const { code, out } = await cli("exec - --json", { "-": text });
    expect(code).toBe(1);
    const { status, message } = JSON.parse(out) as ExecJson;
    expect(status).toBe("deadlock");
    expect(message).toMatch(/^deadlock: BAR\.SYNC 0 was reached by 16 of 32 live threads/);
  });

  it("import", async () => {
    const ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n";
    const value = await json<ImportJson>("import - --from ptx", { "-": ptx });
    expect(value).toMatchObject({ diagnostics: [], kernels: [{ name: "k", opaque: 0 }] });
    expect((await cli("run -", { "-": value.kernels[0]!.text })).code).toBe(0);
  });

  it("links a pass of one's own, which does not run", async () => {
    const source = "export default definePass({ name: 'never runs'";
    const files = { "k.ori": ".kernel k(a: R0)\nBB0:\n    MOV R1, R0\n    EXIT\n", "mine.ts": source };
    const passOf = async (text: string) => {
      const { url } = await json<LinkJson>(`link k.ori --pass ${text}`, files);
      return (await json<{ readonly pass: unknown }>(`unlink ${url}`)).pass;
    };
    expect(await passOf("mine.ts")).toEqual({ title: "mine", source, at: null });
    expect(await passOf("mine.ts@before:15")).toEqual({ title: "mine", source, at: { side: "before", run: "15" } });
    const wrong = await cli("link k.ori --pass mine.ts@after:nothing", files);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("nothing")]);
  });

  it("link and unlink", async () => {
    const { url, characters, long } = await json<LinkJson>("link - --phase 15 --step 3 --knob 464=2 --base https://x.example/#old", {
      "-": LOOP,
    });
    expect({ characters, long }).toEqual({ characters: url.length, long: false });
    expect(url).toMatch(/^https:\/\/x\.example\/#v1\./);
    expect(await json(`unlink ${url}`)).toMatchObject({
      version: 1,
      source: LOOP,
      phase: "ori-branch-opt",
      step: 3,
      knobs: ["464=2"],
      kernel: "sum",
      format: "ori",
    });
    expect((await cli(`unlink ${url} --source`)).out).toBe(LOOP);
    expect((await cli(`unlink ${url.slice(0, -9)}`)).code).toBe(1);
  });
});

describe("text output", () => {
  it("is canonical Ori that reads back", async () => {
    const { code, out } = await cli("run p.ori --phases 3");
    expect(code).toBe(0);
    expect((await cli("run - --phases 3", { "-": out })).out).toBe(out);
  });

  it("keeps every body of a module, symbols once", async () => {
    const two = `.target sm_80\n.symbol buf shared 64 4\n${LOOP}.func f(x: R0) -> R1\nBB0:\n    IADD    R1, R0, 1\n    RET\n`;
    const { out } = await cli("run p.ori --phases 6", { "p.ori": two });
    expect(out.match(/^\.target sm_80$/gm)?.length).toBe(1);
    expect(out.match(/^\.symbol/gm)?.length).toBe(1);
    expect(out).toMatch(/\.kernel sum[\s\S]*\.func f/);
  });

  it.each(["run p.ori --emit dot", "run p.ori --emit summary", "analyze p.ori", "phases", "knobs"])("%s prints something", async (argv) => {
    const { code, out } = await cli(argv);
    expect(code).toBe(0);
    expect(out.split("\n").length).toBeGreaterThan(5);
  });
});

describe("--no-phis", () => {
  const PHIS = `.kernel k(n: R0, out: RD0)
A: MOV R1, 1
B: PHI R2, [A: R1], [B: R3]
 PHI R3, [A: R0], [B: R2]
 ISETP.LT P0, R2, R0
@P0 BRA B
C: STG [RD0], R3
 EXIT
`;
  const files = { "p.ori": PHIS };

  it("is offered where a phase that was asked for declines PHIs", async () => {
    const { code, out, err } = await cli("run p.ori --phases branch-folding", files);
    expect(code).toBe(0);
    expect(out).toContain("PHI");
    expect(err).toMatch(/k: BranchFolding declined: .*2 PHIs; --no-phis replaces them first\n$/);
    expect((await cli("run p.ori --phases 3", files)).err).toBe("");
  });

  it("takes them out first and says what it did", async () => {
    const { code, out, err } = await cli("run p.ori --no-phis --until branch-folding", files);
    expect(code).toBe(0);
    expect(out).not.toContain("PHI");
    expect(out).toContain("B.to.B:\n    MOV     R4, R2\n    MOV     R2, R3\n    MOV     R3, R4\n    BRA     B\n");
    expect(err).toContain("2 PHIs of k became 5 copies");
    const checked = await cli("run p.ori --no-phis --phases branch-folding --verify --check 8", files);
    expect(checked.code).toBe(0);
    expect((await cli("trace p.ori --no-phis --phase branch-folding", files)).out).not.toContain("NoPHIs");
  });
});

describe("export", () => {
  it("prints a trace that can be read again, of the phases that are named", async () => {
    const { code, out, err } = await cli("export p.ori --phase ori-branch-opt --phase 49");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; id?: string });
    expect(lines.filter((l) => l.type === "phase").map((l) => l.id)).toEqual(["ori-branch-opt", "gvn-cse"]);
    expect(lines.at(-1)).toEqual({ type: "end", steps: lines.filter((l) => l.type === "step").length });
    const cut = await cli("export p.ori --as log --steps 3 --json");
    const whole = JSON.parse(cut.out) as ExportJson;
    expect(whole).toMatchObject({ steps: 3, text: expect.stringContaining("what changed") });
    expect(whole.notes.join(" ")).toContain("cut after 3 steps");
    expect(cut.err).toContain("cut after 3 steps");
  });

  it.each([
    ["export p.ori --phase nonsense", "nonsense"],
    ["export p.ori --phase branch-folding --no-phase branch-folding", "is not reached"],
    ["export p.ori --steps 0", "of at least 1"],
  ])("%s is wrong usage", async (argv, message) => {
    expect(await cli(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
