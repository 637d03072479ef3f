import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./lib/root.mjs";

const MEGABYTE = 1024 * 1024;
const KERNEL = join(root, "src/app/examples/ptx/05_loop_nest.sm_90.ptx");
const SELF_COPY = ".kernel k(n: R0, out: RD1)\nA:\n    MOV R1, R0\n    MOV R1, R1\n    STG [RD1], R1\n    EXIT\n";
const env = { ...process.env, npm_config_loglevel: "error", npm_config_update_notifier: "false" };
let folder = "";
let packed = "";

/** Runs a program of the clean folder, where the packed file is all that is installed. */
function node(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  return { code: status, out: stdout, err: stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope package "));
  execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  packed = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${packed}`], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const file of readdirSync(join(root, "examples")).filter((name) => name.endsWith(".mjs"))) {
    copyFileSync(join(root, "examples", file), join(folder, file));
  }
  writeFileSync(join(folder, "self.ori"), SELF_COPY);
  writeFileSync(join(folder, "better.ori"), SELF_COPY.replace("    MOV R1, R1\n", ""));
  writeFileSync(join(folder, "worse.ori"), SELF_COPY.replace("MOV R1, R1", "MOV R1, 7"));
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packed file, installed in an empty folder", () => {
  it("takes at most 2 MB and brings nothing else", () => {
    expect(statSync(join(folder, packed)).size).toBeLessThan(2 * MEGABYTE);
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["oriscope"]);
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules/oriscope/package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest.dependencies).toBeUndefined();
    expect(readFileSync(join(folder, "node_modules/oriscope/dist-lib/THIRD_PARTY_NOTICES.txt"), "utf8")).toContain("valibot");
  });

  it("has a command that runs a kernel", () => {
    copyFileSync(KERNEL, join(folder, "kernel.ptx"));
    const out = execFileSync("npx", ["--no-install", "oriscope", "run", "kernel.ptx", "--emit", "summary"], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect(out).toContain("OriBranchOpt");
    const html = execFileSync("npx", ["--no-install", "oriscope", "export", "kernel.ptx", "--as", "html"], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect(html).toContain("<!doctype html>");
  });

  it("serves its tools to a client over its standard streams", () => {
    const asked = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "open", arguments: { text: SELF_COPY } } },
    ];
    const { status, stdout } = spawnSync("npx", ["--no-install", "oriscope", "mcp"], {
      cwd: folder,
      env,
      encoding: "utf8",
      input: asked.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
    expect(status).toBe(0);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: unknown });
    expect(answers.map((a) => a.id)).toEqual([1, 2]);
    expect(JSON.stringify(answers[1])).toContain('\\"ok\\": true');
  });

  it("runs the example that traces a phase", () => {
    const { code, out, err } = node("trace-a-phase.mjs", KERNEL, "phase.html");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/First match of \w+, step \d+: \S/);
    expect(readFileSync(join(folder, "phase.html"), "utf8")).toContain("<!doctype html>");
  });

  it("runs the example that compares two programs", () => {
    expect(node("check-two-programs.mjs", "self.ori", "better.ori")).toMatchObject({
      code: 0,
      out: expect.stringContaining("same: No difference"),
    });
    expect(node("check-two-programs.mjs", "self.ori", "worse.ori")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/different: [\s\S]*before.*after/),
    });
  });

  it("runs the example with a pass of one's own", () => {
    const { code, out, err } = node("own-pass.mjs", "self.ori");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("- MOV R1, R1");
    expect(out).toContain("No law is broken");
    expect(node("own-pass.mjs", "better.ori").out).toContain("no register is copied to itself");
  });

  it("has types that a strict project takes, and that refuse mistakes", () => {
    const good =
      'import { check, openSession, type Pass } from "oriscope";\nconst run = openSession("").run({ level: 2 });\nexport const verdict: "same" | "different" | "unknown" | "refused" = check("", "").verdict;\nexport const label: string | undefined = run.trace(15)?.state(-1).blocks[0]?.label;\nexport const family = (pass: Pass): string => pass.family;\n';
    const bad = 'import { openSession } from "oriscope";\nopenSession("").run({ level: "2" });\n';
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: "nodenext",
      target: "es2023",
      lib: ["es2023"],
      types: [],
      noEmit: true,
      skipLibCheck: false,
    };
    for (const [name, text, code] of [
      ["good", good, 0],
      ["bad", bad, 1],
    ] as const) {
      const project = join(folder, name);
      mkdirSync(project);
      writeFileSync(join(project, "main.ts"), text);
      writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["main.ts"] }));
      const result = node(join(root, "node_modules/typescript/bin/tsc"), "-p", project);
      expect({ name, ...result, err: "" }).toMatchObject(code === 0 ? { code, out: "" } : { code, out: expect.stringContaining("TS2322") });
    }
  });
});
