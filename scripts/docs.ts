/**
 * Writes the documents that are generated from the code: `npm run docs`; with `--check` it only compares and fails if one is out of date.
 * Phases, knobs and opcodes are pages of their own.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { toJsonSchema } from "@valibot/to-json-schema";
import { helpText } from "../src/cli/command.ts";
import { DEFAULT_PIPELINE } from "../src/engine/api/defaults.ts";
import { EngineSession } from "../src/engine/api/session.ts";
import { EVENT_KINDS } from "../src/engine/trace/kinds.ts";
import { allCommands } from "../src/features/commands.ts";
import { PASS_API_VERSION } from "../src/features/ownpass/engine/module.ts";
import { endSchema, headerSchema, lineSchema, phaseSchema, stepSchema } from "../src/features/publish/engine/trace-schema.ts";
import { generate } from "./generate/modules.ts";
import { apiDoc } from "./lib/api-doc.ts";
import { schemaTable } from "./lib/schema-table.ts";
import { engineGraph, layerGraph } from "./lib/structure-doc.ts";

const NOTE = "<!-- Written by `npm run docs`; do not edit. -->\n\n";
const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const engine = new EngineSession();
// Commands are loaded below, and with them what is generated.
await generate();
let stale = 0;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`), ""].join(
    "\n",
  );

function put(path: string, content: string): void {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (before === content) return;
  if (check) {
    console.error(`${path} is out of date: run npm run docs`);
    stale++;
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  console.log(`wrote ${path}`);
}

/** A text with one of its generated parts as it is now. */
const withPart = (text: string, part: string, content: string): string =>
  text.replace(new RegExp(`(<!-- generated:${part} -->\n)[\\s\\S]*?(<!-- /generated:${part} -->)`), `$1\n${content}\n$2`);

const phases = engine.phases(DEFAULT_PIPELINE);
put(
  "docs/phases.md",
  `# Phases\n\n${NOTE}All positions of the timeline, as they run at -O3 for the default target. Positions that are not modelled are shown and never run.\n\n${table(
    ["number", "name", "id", "modelled", "runs", "knobs"],
    phases.map((p) => [
      p.number === null ? p.group : String(p.number),
      [p.name, ...p.alternatives].filter(Boolean).join(" / "),
      p.modelled ? `\`${p.id}\`` : "",
      p.modelled ? "yes" : "",
      p.runs ? "yes" : p.modelled ? (p.reason ?? "no") : "",
      p.knobs.join(", "),
    ]),
  )}`,
);

const knobs = table(
  ["knob", "index", "ROT13", "type", "default", "read by", "what it does"],
  engine
    .knobs()
    .map((k) => [k.name, k.index === null ? "" : String(k.index), k.rot13 ?? "", k.type, k.default, k.readBy.join(", "), k.doc]),
);
put("docs/knobs.md", `# Knobs\n\n${NOTE}Set with \`--knob NAME=V\`, by name, key or index, or in the page's Knobs panel.\n\n${knobs}`);

put(
  "docs/opcodes.md",
  `# Opcodes\n\n${NOTE}The shape's letters are explained in \`src/engine/ir/opcodes.ts\`.\n\n${table(
    ["opcode", "family", "operands", "modifiers", "effect", "numbers in the reference", "what it does"],
    engine.opcodes().map((o) => [o.name, o.family, o.shape, o.mods, o.effect, o.numbers.join(", "), o.doc]),
  )}`,
);

put(
  "docs/cli.md",
  `# The command line\n\n${NOTE}${(await allCommands()).map((command) => `## ${command.name}\n\n\`\`\`\n${helpText(command)}\`\`\`\n`).join("\n")}`,
);

put(
  "docs/trace.schema.json",
  `${JSON.stringify({ title: "A line of an Oriscope trace", ...toJsonSchema(lineSchema, { typeMode: "input" }) }, null, 2)}\n`,
);

put(
  "docs/api.md",
  `# The library\n\n${NOTE}\`import { openSession, check, … } from "oriscope"\`: the engine for programs of your own. It runs wherever JavaScript does, needs no other package, and has types. The folder \`examples/\` of the repository has three programs that use it.\n\n${apiDoc("src/package/index.ts")}`,
);

put(
  "docs/pass-api.md",
  `# The API of passes\n\n${NOTE}What \`import { definePass } from "oriscope/pass"\` gives to [a pass of your own](own-pass.md), version ${PASS_API_VERSION}. A pass receives an \`Fn\` and a \`Ctx\`: start with those two.\n\nThe program is live: after an edit, \`fn\`, its blocks and its instructions show the new state. An instruction may be held across edits; \`inst.block\` is null once it is removed. Lists (\`fn.blocks\`, \`block.insts\`) are copies made when you call them. A wrong call throws an error with a message and the line. There is no clock, no randomness and no network: the same program always gives the same result.\n\n${apiDoc("src/package/pass.ts")}`,
);

const traceDoc = "docs/trace.md";
const lineKinds = [headerSchema, phaseSchema, stepSchema, endSchema];
put(
  traceDoc,
  withPart(
    readFileSync(traceDoc, "utf8"),
    "lines",
    `${lineKinds.map((schema) => schemaTable(toJsonSchema(schema))).join("\n")}\nKinds of steps: ${EVENT_KINDS.map((kind) => `\`${kind}\``).join(", ")}.\n`,
  ),
);

const architecture = "ARCHITECTURE.md";
put(architecture, withPart(withPart(readFileSync(architecture, "utf8"), "layers", layerGraph()), "rooms", engineGraph()));

process.exit(stale > 0 ? 1 : 0);
