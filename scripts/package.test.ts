import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./lib/root.mjs";

const MEGABYTE = 1024 * 1024;
const KERNEL = join(root, "src/features/examples/page/ptx/05_loop_nest.sm_90.ptx");
const SELF_COPY = ".kernel k(n: R0, out: RD1)\nA:\n    MOV R1, R0\n    MOV R1, R1\n    STG [RD1], R1\n    EXIT\n";
const env = { ...process.env, npm_config_loglevel: "error", npm_config_update_notifier: "false" };
let folder = "";
let packed = "";

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in the clean folder, where the packed file is all that is installed. */
function run(command: string, args: readonly string[], input = ""): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd: folder, env, maxBuffer: 1e8 }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
    child.stdin?.end(input);
  });
}

const node = (...args: string[]): Promise<Ran> => run(process.execPath, args);
/** The installed command, without npm's own start. */
const oriscope = (args: readonly string[], input = ""): Promise<Ran> =>
  run(process.execPath, ["node_modules/oriscope/bin/oriscope.mjs", ...args], input);

/** A strict project of the given files, checked by the compiler. */
async function compiled(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    types: [],
    noEmit: true,
    skipLibCheck: false,
  };
  const project = join(folder, name);
  mkdirSync(project);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const { code, out } = await node(join(root, "node_modules/typescript/bin/tsc"), "--pretty", "false", "-p", project);
  return { code, out };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope package "));
  // The packages that it depends on are packed from here, too: a machine without a registry may not have them in npm's cache.
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly dependencies: object };
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync("npm", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const pack = (...what: string[]): string =>
    npm(root, "pack", "--silent", "--pack-destination", folder, ...what)
      .trim()
      .split("\n")
      .at(-1) ?? "";
  packed = pack();
  const needed = Object.keys(dependencies).map((name) => pack("--ignore-scripts", `./node_modules/${name}`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(folder, "install", "--offline", "--no-audit", "--no-fund", ...[packed, ...needed].map((file) => `./${file}`));
  for (const file of readdirSync(join(root, "examples")).filter((name) => name.endsWith(".mjs"))) {
    copyFileSync(join(root, "examples", file), join(folder, file));
  }
  copyFileSync(KERNEL, join(folder, "kernel.ptx"));
  writeFileSync(join(folder, "self.ori"), SELF_COPY);
  writeFileSync(join(folder, "better.ori"), SELF_COPY.replace("    MOV R1, R1\n", ""));
  writeFileSync(join(folder, "worse.ori"), SELF_COPY.replace("MOV R1, R1", "MOV R1, 7"));
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each waits for other programs: together they take as long as the processors need.
describe.concurrent("the packed file, installed in an empty folder", () => {
  it("takes at most 2 MB and brings ELK, which draws its pictures, and nothing else", () => {
    expect(statSync(join(folder, packed)).size).toBeLessThan(2 * MEGABYTE);
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["elkjs", "oriscope"]);
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules/oriscope/package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest.dependencies).toEqual({ elkjs: "0.12.1" });
    expect(readFileSync(join(folder, "node_modules/oriscope/dist-lib/THIRD_PARTY_NOTICES.txt"), "utf8")).toContain("valibot");
  });

  it("has a command that runs a kernel", async () => {
    const { code, out } = await run("npx", ["--no-install", "oriscope", "run", "kernel.ptx", "--emit", "summary"]);
    expect(code).toBe(0);
    expect(out).toContain("OriBranchOpt");
  });

  it("exports a file that plays", async () => {
    expect((await oriscope(["export", "kernel.ptx", "--as", "html"])).out).toContain("<!doctype html>");
  });

  it("serves its tools to a client over its standard streams", async () => {
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
    const { code, out } = await oriscope(["mcp"], asked.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(code).toBe(0);
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: unknown });
    expect(answers.map((a) => a.id)).toEqual([1, 2]);
    expect(JSON.stringify(answers[1])).toContain('\\"ok\\": true');
  });

  it("runs the example that traces a phase", async () => {
    const { code, out, err } = await node("trace-a-phase.mjs", KERNEL, "phase.html");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/First match of \w+, step \d+: \S/);
    expect(readFileSync(join(folder, "phase.html"), "utf8")).toContain("<!doctype html>");
  });

  it("runs the example that compares two programs", async () => {
    const [same, other] = await Promise.all(["better.ori", "worse.ori"].map((file) => node("check-two-programs.mjs", "self.ori", file)));
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining("same: No difference") });
    expect(other).toMatchObject({ code: 1, out: expect.stringMatching(/different: [\s\S]*before.*after/) });
  });

  it("runs the example with a pass of one's own", async () => {
    const [fires, stays] = await Promise.all(["self.ori", "better.ori"].map((file) => node("own-pass.mjs", file)));
    expect(fires).toMatchObject({ code: 0, err: "" });
    expect(fires?.out).toContain("- MOV R1, R1");
    expect(fires?.out).toContain("No law is violated");
    expect(stays?.out).toContain("no register is copied to itself");
  });

  it("has types for each entry, all of them", async () => {
    const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/oriscope/package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, unknown>>;
    };
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
    const names = entries.map((entry) => `oriscope${entry.slice(1)}`);
    expect(names).toEqual(["oriscope", "oriscope/pass"]);
    const api = readFileSync(join(root, "src/features/ownpass/engine/api/api.ts"), "utf8");
    const types = [...api.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    const every = `import type { ${types.join(", ")} } from "oriscope/pass";\nexport type All = [${types.join(", ")}];\n`;
    const files = {
      "entries.ts": names
        .map((name, i) => `import * as entry${i} from "${name}";\nexport const keys${i} = Object.keys(entry${i});\n`)
        .join(""),
      "types.ts": every,
      "pass.ts": readFileSync(join(root, "passes/unreachable-code.ts"), "utf8"),
    };
    expect(await compiled("entries", files)).toEqual({ code: 0, out: "" });
  });

  it("has types that a strict project takes, and that refuse mistakes", async () => {
    const good =
      'import { check, openSession, type Pass } from "oriscope";\nconst run = openSession("").run({ level: 2 });\nexport const verdict: "same" | "different" | "unknown" | "refused" = check("", "").verdict;\nexport const label: string | undefined = run.trace(15)?.state(-1).blocks[0]?.label;\nexport const family = (pass: Pass): string => pass.family;\n';
    const bad = 'import { openSession } from "oriscope";\nopenSession("").run({ level: "2" });\n';
    const { code, out } = await compiled("typed", { "good.ts": good, "bad.ts": bad });
    expect(code).not.toBe(0);
    // One mistake in all: the one that was made.
    expect(out.match(/error TS\d+/g)).toEqual(["error TS2322"]);
    expect(out).toMatch(/bad\.ts\(2,23\)/);
  });
});
