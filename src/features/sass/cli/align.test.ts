import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../cli/command-line.ts";
import { InputError, type Io } from "../../../cli/io.ts";
import type { AlignJson } from "./shapes.ts";

const OURS = `.kernel k(n: R0, p: RD1)
A: ISETP.GE P0, R0, 7
@P0 BRA C
B: STG [RD1], 11
 EXIT
C: STG [RD1], 22
 EXIT
`;

const REAL = ` /*0000*/ ISETP.GT.AND P0, PT, R0, 0x6, PT ;
 /*0010*/ @P0 BRA 0x50 ;
 /*0020*/ IMAD.MOV.U32 R3, RZ, RZ, 0xb ;
 /*0030*/ STG.E [R4.64], R3 ;
 /*0040*/ EXIT ;
 /*0050*/ IMAD.MOV.U32 R3, RZ, RZ, 0x16 ;
 /*0060*/ STG.E [R4.64], R3 ;
 /*0070*/ EXIT ;
`;

const LISTING = `\t\tFunction : other\n /*0000*/ EXIT ;\n\t\tFunction : k\n${REAL}`;

async function cli(argv: string, files: Readonly<Record<string, string>>): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io: Io = {
    readText: (path) => {
      const text = files[path];
      if (text === undefined) throw new InputError(`no such file: ${path}`);
      return text;
    },
    readBytes: () => new Uint8Array(0),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => 0,
  };
  const code = await runCommandLine(argv.split(" "), io);
  return { code, out, err };
}

const FILES = { "a.ori": OURS, "b.sass": LISTING, "empty.sass": "nothing here" };

describe("align", () => {
  it("prints decisions and matched blocks", async () => {
    const { code, out, err } = await cli("align a.ori b.sass --phases 3", FILES);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^k and k: score 0\.\d\d, 3 of 3 and 3 blocks matched/);
    expect(out).toMatch(/conditional branches\s+1\s+1\s+agree/);
    expect(out).toMatch(/B\s+L_0020 .*store global/);
    expect(out).toContain("only ours: none");
  });

  it("gives the same as JSON", async () => {
    const { out } = await cli("align a.ori b.sass --phases 3 --json", FILES);
    const { kernels } = JSON.parse(out) as AlignJson;
    expect(kernels).toHaveLength(1);
    expect(kernels[0]!.candidates).toEqual(["other", "k"]);
    expect(kernels[0]!.pairs).toHaveLength(3);
    expect(kernels[0]!.real.blocks.map((b) => b.label)).toEqual(["L_0000", "L_0020", "L_0050"]);
  });

  it("takes a function of the listing by name, and says which there are", async () => {
    const other = await cli("align a.ori b.sass --sass-kernel other --phases 3", FILES);
    expect(other.out).toContain("k and other");
    const none = await cli("align a.ori b.sass --sass-kernel nowhere", FILES);
    expect(none.code).toBe(1);
    expect(none.err).toContain("it has other, k");
  });

  it("refuses a text that is no listing, and fails where a part of one could not be read", async () => {
    const same = await cli("align a.ori a.ori", FILES);
    expect([same.code, same.out, same.err]).toEqual([1, "", "oriscope align: a.ori is Ori text, not a SASS listing\n"]);
    const ptx = await cli("align a.ori p.ptx", { ...FILES, "p.ptx": ".version 8.0\n.target sm_80\n.visible .entry k()\n{\n ret;\n}\n" });
    expect([ptx.code, ptx.err]).toEqual([1, "oriscope align: p.ptx is PTX, not a SASS listing\n"]);
    const cut = await cli("align a.ori cut.sass --phases 3", { ...FILES, "cut.sass": REAL.replace("0x50 ;", "`(.nowhere) ;") });
    expect([cut.code, cut.err]).toEqual([1, expect.stringContaining("cut.sass:2:2: error SASS006")]);
    expect(cut.out).toContain("k and");
  });

  it("fails on a text without instructions, with its diagnostics", async () => {
    const { code, err } = await cli("align a.ori empty.sass", FILES);
    expect(code).toBe(1);
    expect(err).toContain("empty.sass:1:1: error SASS003");
  });
});
