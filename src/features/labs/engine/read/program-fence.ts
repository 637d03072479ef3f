/** Programs in a lab: written out, or requirements that a generator meets. */

import { closest } from "../../../../base/closest.ts";
import { FORMATS, type SourceFormat } from "../../../../base/formats.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { SHAPES } from "../generate/shapes.ts";
import type { Place, ProgramSource, Range } from "../lab.ts";
import { type Fence, readMeta } from "./markdown.ts";
import type { Report } from "./report.ts";

const KEYS = ["name", "generate", "size", "blocks", "instructions", "loops", "irreducible", "phis", "fires", "stays", "refuses", "seed"];

/** Null: the fence is no program, or it has mistakes, which are reported. */
export function readProgram(fence: Fence, report: Report): ProgramSource | null {
  const { lang, line } = fence;
  const format = FORMATS.find((known) => known === lang) ?? null;
  if (format === null && lang !== "program") return null;
  const place = { line, column: 1, length: fence.meta.length + lang.length + 3 };
  const { values, problem } = readMeta(fence.meta);
  if (problem !== null) {
    report.error(place, "LAB030", `${lang}: ${problem}.`, "{name=first}");
    return null;
  }
  const name = values.get("name");
  // A program without a name is shown, and nothing else.
  if (name === undefined) {
    if (lang === "program") report.error(place, "LAB031", "A program needs a name.", "{name=first}");
    return null;
  }
  const unknown = [...values.keys()].find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    report.error(place, "LAB032", `A program has no '${unknown}'.`, closest(unknown, KEYS));
    return null;
  }
  return values.has("generate") ? generated(name, values, fence, place, report) : written(name, format, fence, report);
}

function written(name: string, format: SourceFormat | null, { text, line }: Fence, report: Report): ProgramSource | null {
  const { diagnostics, kernels, ok } = new EngineSession().open(1, text, format);
  for (const d of diagnostics) {
    const place = { line: line + d.line, column: d.column, length: d.length };
    if (d.severity === "error") report.error(place, d.code, d.message, d.suggestion);
    else if (d.severity === "warning") report.warning(place, d.code, d.message, d.suggestion);
  }
  if (ok && kernels.length === 0) report.error({ line, column: 1, length: 0 }, "LAB033", `The program '${name}' has no kernel.`);
  return { kind: "written", name, format, text, line };
}

function generated(
  name: string,
  values: ReadonlyMap<string, string>,
  { text, line }: Fence,
  place: Place,
  report: Report,
): ProgramSource | null {
  const fail = (code: string, message: string, suggestion: string | null = null): null => {
    report.error(place, code, message, suggestion);
    return null;
  };
  const shape = values.get("generate") ?? "";
  if (!SHAPES.includes(shape))
    return fail("LAB034", `There is no shape '${shape}'; known are ${SHAPES.join(", ")}.`, closest(shape, SHAPES));
  if (text.trim() !== "") return fail("LAB035", "A generated program has no text of its own.");
  const ranges = new Map<string, Range>();
  for (const key of ["size", "blocks", "instructions", "loops"]) {
    const value = values.get(key);
    if (value === undefined) continue;
    const range = readRange(value);
    if (range === null) return fail("LAB036", `${key}=${value}: expected a number up to 400, or a range such as 6..9.`);
    ranges.set(key, range);
  }
  const phis = values.get("phis");
  const [, register = "", count = ""] = /^([A-Z]+\d{1,3}):(.*)$/.exec(phis ?? "") ?? [];
  const merges = readRange(count);
  if (phis !== undefined && merges === null) return fail("LAB036", `phis=${phis}: expected a register and a number, such as R2:2..3.`);
  const irreducible = values.get("irreducible");
  if (irreducible !== undefined && irreducible !== "yes" && irreducible !== "no") return fail("LAB037", "irreducible is yes or no.");
  const seed = values.get("seed") ?? "student";
  if (seed !== "student" && seed !== "fixed") return fail("LAB038", "seed is student or fixed.");
  const list = (key: string): string[] => (values.get(key) ?? "").split(",").filter((word) => word !== "");
  const session = new EngineSession();
  const phases = [...list("fires"), ...list("stays"), ...list("refuses")].map((word) => word.split(":")[0] ?? "");
  const wrong = phases.map((word) => session.lookupPhase(word)).find((found) => !found.ok);
  if (wrong !== undefined && !wrong.ok) return fail("LAB039", wrong.message);
  return {
    kind: "generated",
    name,
    shape,
    size: ranges.get("size")?.least ?? null,
    blocks: ranges.get("blocks") ?? null,
    instructions: ranges.get("instructions") ?? null,
    loops: ranges.get("loops") ?? null,
    irreducible: irreducible === undefined ? null : irreducible === "yes",
    phis: merges === null ? null : { register, count: merges },
    fires: list("fires"),
    stays: list("stays"),
    refuses: list("refuses"),
    fixed: seed === "fixed",
    line,
  };
}

function readRange(text: string): Range | null {
  const [, least, most] = /^(\d{1,3})(?:\.\.(\d{1,3}))?$/.exec(text) ?? [];
  if (least === undefined) return null;
  const range = { least: Number(least), most: Number(most ?? least) };
  return range.least <= range.most && range.most <= 400 ? range : null;
}
