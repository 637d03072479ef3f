/** The commands on Bril programs. */

import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../cli/command-line.ts";
import { InputError, type Io } from "../../../cli/io.ts";

const PROGRAM = `@double(n: int): int {
  two: int = const 2;
  r: int = mul n two;
  ret r;
}

@main(n: int, f: float, c: char) {
  zero: int = const 0;
  one: int = const 1;
.loop:
  more: bool = gt n zero;
  br more .body .end;
.body:
  d: int = call @double n;
  print d f c;
  n: int = sub n one;
  jmp .loop;
.end:
  q: int = div one n;
  print q;
}
`;

async function cli(argv: string, text = PROGRAM): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io: Io = {
    readText: (path) => {
      if (path !== "p.bril" && path !== "-") throw new InputError(`no such file: ${path}`);
      return text;
    },
    readBytes: () => new Uint8Array(),
    out: (part) => {
      out += part;
    },
    err: (part) => {
      err += part;
    },
    now: () => 0,
  };
  return { code: await runCommandLine(argv.split(" "), io), out, err };
}

describe("Bril on the command line", () => {
  it("imports to Ori", async () => {
    const { code, out, err } = await cli("import p.bril");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(".kernel main(n: RD0, f: RD1, c: R0)");
    expect(out).toContain("CALL    print.int.float.char, {}, {");
  });

  it("runs on one thread and prints its lines", async () => {
    const { code, out, err } = await cli("exec p.bril --kernel main --arg n=2 --arg f=1.5 --arg c=x --lines");
    expect(out).toBe("4 1.50000000000000000 x\n2 1.50000000000000000 x\n");
    expect(code).toBe(1);
    expect(err).toContain("main, block end, '@P");
    const whole = await cli("exec p.bril --kernel main --arg n=0 --json");
    expect(JSON.parse(whole.out)).toMatchObject({ status: "trap", output: [] });
  });

  it("takes arguments in their order, as Bril's own interpreter does", async () => {
    expect((await cli("exec p.bril 2 1.5 x --lines")).out).toBe("4 1.50000000000000000 x\n2 1.50000000000000000 x\n");
    const sign = "@main(n: int, b: bool) {\n  print n b;\n}\n";
    expect(await cli("exec p.bril -7 true --lines", sign)).toMatchObject({ code: 0, out: "-7 true\n" });
    expect(await cli("exec p.bril 1 true 3 --lines", sign)).toMatchObject({
      code: 2,
      err: expect.stringContaining("unexpected argument '3': @main has 2 parameters") as string,
    });
    expect(await cli("exec p.bril 1", ".kernel k()\nBB0:\n EXIT\n")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--arg NAME=VALUE") as string,
    });
  });

  it("says which of the two limits a run met", async () => {
    const loop = (body: string): string =>
      `@main(n: int) {\n  one: int = const 1;\n.top:\n  ${body}\n  n: int = sub n one;\n  more: bool = gt n one;\n  br more .top .end;\n.end:\n}\n`;
    const lines = `print ${Array.from({ length: 400 }, () => "n").join(" ")};`;
    const printed = await cli("exec - --from bril --lines --fuel 9000000 --arg n=2000", loop(lines));
    expect(printed.code).toBe(1);
    expect(printed.err).toContain("the program's output exceeds the 4096 KiB reserved for it");
    const much = await cli("exec - --from bril --lines --arg n=20000", loop("print n n n n;"));
    expect([much.code, much.out.split("\n").length]).toEqual([0, 20000]);
    const cells = await cli("exec - --from bril --lines --arg n=40000", loop("p: ptr<int> = alloc n;"));
    expect(cells.err).toContain("an allocation of no cells, or of more than are left of the 256 KiB heap");
  });

  it("names the option that allows a longer run", async () => {
    const endless = await cli("exec - --from bril --lines --fuel 100", "@main {\n.top:\n  jmp .top;\n}\n");
    expect(endless.code).toBe(1);
    expect(endless.err).toContain("--fuel N allows more than 100 warp instructions");
  });

  it("takes characters of any code point: literals, arguments, what is printed", async () => {
    const text =
      "@main(a: char) {\n  c: char = const '🦄';\n  print c a;\n  n: int = char2int c;\n  d: char = int2char n;\n  print n d;\n}\n";
    expect((await cli("exec - --from bril --lines 🐎", text)).out).toBe("🦄 🐎\n129412 🦄\n");
  });

  it("is written back, as it was or after the pipeline", async () => {
    const plain = await cli("run p.bril --until branch-folding --emit bril");
    expect(plain).toMatchObject({ code: 0, err: "" });
    expect(plain.out).toContain("  double.1.r: int = mul double.1.n double.1.two;\n");
    const text = await cli("run - --emit bril");
    expect(text).toMatchObject({ code: 0, err: "" });
    // What was written is read again, as text and as JSON.
    expect((await cli("run p.bril --emit bril", text.out)).code).toBe(0);
    const json = await cli("run p.bril --emit bril-json");
    expect(Object.keys(JSON.parse(json.out) as object)).toEqual(["functions"]);
    const lines = "exec p.bril --arg n=3 --arg f=2 --arg c=y --lines";
    expect((await cli(lines, json.out)).out).toBe((await cli(lines)).out);
  });

  it("checks every phase on one thread", async () => {
    expect(await cli("run p.bril --check 8 --verify --emit summary")).toMatchObject({ code: 0, err: "" });
  });

  it("needs a Bril program to write Bril", async () => {
    const { code, err } = await cli("run p.bril --emit bril", ".kernel k()\nBB0:\n EXIT\n");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("needs a Bril program") as string });
  });

  it("says where a program is wrong", async () => {
    const { code, err } = await cli("run p.bril", "@main {\n  x: int = add y y;\n  jmp .a;\n}\n");
    expect(code).toBe(1);
    expect(err).toContain("p.bril:3:7: error BRIL013");
  });
});
