/** Reads a lab's file: front matter, text, programs, moments and tasks, with located messages for everything that is wrong. Never throws for any text. */

import type { RootContent } from "mdast";
import { closest } from "../../../../base/closest.ts";
import { FORMATS } from "../../../../base/formats.ts";
import { groupedPlural } from "../../../../base/plural.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { labDigest } from "../digest.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Lab, Moment, Part, Place, ProgramSource, ReadLab, Task } from "../lab.ts";
import { readAt } from "./at.ts";
import { frontOf, frontSchema, readableFront, splitFront } from "./front.ts";
import { asFence, type Fence, linksOf, MOST_TEXT, placeOf, readMarkdown, readMeta } from "./markdown.ts";
import { readProgram } from "./program-fence.ts";
import { Report } from "./report.ts";
import { readTask } from "./task-fence.ts";
import { checked, readYaml } from "./yaml.ts";

const TOP: Place = { line: 1, column: 1, length: 0 };
const MOST_TASKS = 200;
/** Markdown costs by the block, not by the character: a hundred thousand headings take as long as fifty labs of the usual kind. */
const MOST_LINES = 20_000;
const FENCES = [...FORMATS, "program", "moment", "task"];

export function readLab(source: string): ReadLab {
  const report = new Report();
  const none = (): ReadLab => ({ lab: null, diagnostics: report.sorted() });
  if (source.length > MOST_TEXT) {
    report.error(TOP, "LAB001", `The lab has over ${MOST_TEXT / 1024} KB and is not read.`);
    return none();
  }
  const text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (hasMoreLines(text, MOST_LINES)) {
    report.error(TOP, "LAB001", `The lab has over ${groupedPlural(MOST_LINES, "line")} and is not read.`);
    return none();
  }
  const split = splitFront(text);
  if (split === null) {
    report.error(TOP, "LAB002", "A lab begins with its front matter between two lines of ---.", "---\ntitle: …\nid: …\nversion: 1\n---");
    return none();
  }
  const yaml = readYaml(split.yaml, split.line, report);
  const read = yaml === null ? null : checked(yaml, frontSchema, report, "Front matter");
  if (read === null) {
    // Other errors are reported together with it.
    const markdown = readMarkdown(split.rest);
    if (markdown.ok) readBody(markdown.root.children, frontOf(readableFront(yaml?.value)), report);
    return none();
  }
  const front = frontOf(read);
  const problems = new EngineSession().checkOptions({
    target: front.target,
    level: front.optLevel,
    policy: front.policy,
    knobs: front.knobs,
    noPhases: [],
    namedPhases: [],
    phases: null,
    until: null,
    verify: false,
    check: 0,
    fuel: null,
  });
  for (const d of problems) if (d.severity === "error") report.error(yaml?.place(["knobs"]) ?? TOP, d.code, d.message, d.suggestion);
  const markdown = readMarkdown(split.rest);
  if (!markdown.ok) {
    report.error({ line: markdown.line, column: 1, length: 0 }, "LAB003", markdown.message);
    return none();
  }
  const body = readBody(markdown.root.children, front, report);
  const lab: Lab = { front, digest: labDigest(source), ...body, max: body.tasks.reduce((sum, t) => sum + t.points, 0) };
  checkNames(lab, body.tasks, report);
  return { lab, diagnostics: report.sorted() };
}

function hasMoreLines(text: string, most: number): boolean {
  let at = -1;
  for (let line = 0; line < most; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return false;
  }
  return at + 1 < text.length;
}

interface Body {
  readonly parts: readonly Part[];
  readonly programs: readonly ProgramSource[];
  readonly tasks: readonly Task[];
  readonly moments: readonly Moment[];
}

function readBody(nodes: readonly RootContent[], front: Lab["front"], report: Report): Body {
  const parts: Part[] = [];
  const programs: ProgramSource[] = [];
  const tasks: Task[] = [];
  const moments: Moment[] = [];
  let prose: RootContent[] = [];
  const add = (part: Part): void => {
    if (prose.length > 0) parts.push({ kind: "text", nodes: prose });
    prose = [];
    parts.push(part);
  };
  for (const node of nodes) {
    const fence = asFence(node);
    if (fence === null) {
      prose.push(node);
      hiddenFences(node, report);
    } else if (fence.lang === "task") {
      const task = tasks.length < MOST_TASKS ? readTask(fence, front, report) : null;
      if (tasks.length === MOST_TASKS) report.error(placeOf(node), "LAB004", `A lab has at most ${MOST_TASKS} tasks.`);
      if (task === null) continue;
      tasks.push(task);
      add({ kind: "task", id: task.id });
    } else if (fence.lang === "moment") {
      const moment = readMoment(fence, report);
      if (moment === null) continue;
      moments.push(moment);
      add({ kind: "moment", moment });
    } else {
      const program = readProgram(fence, report);
      if (program === null) {
        misspelt(fence, report);
        prose.push(node);
      } else {
        programs.push(program);
        add({ kind: "program", name: program.name });
      }
    }
  }
  if (prose.length > 0) parts.push({ kind: "text", nodes: prose });
  moments.push(...linkMoments(nodes, report));
  leftOut(nodes, report);
  return { parts, programs, tasks, moments };
}

/** Braces after a word that is nearly one of ours. */
function misspelt({ lang, meta, line }: Fence, report: Report): void {
  if (meta === "" || FENCES.includes(lang)) return;
  report.warning(
    { line, column: 4, length: lang.length },
    "LAB005",
    `A fence with braces is one of ${FENCES.join(", ")}; '${lang}' is shown as it stands.`,
    closest(lang, FENCES),
  );
}

/** What a lab's page does not show. */
function leftOut(nodes: readonly RootContent[], report: Report): void {
  const stack = [...nodes];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.type === "html" && !/^<[/!]/.test(at.value))
      report.warning(placeOf(at), "LAB056", "HTML is left out of a lab: use Markdown, such as **bold** or `code`.");
    else if (at.type === "image")
      report.warning(placeOf(at), "LAB057", `A picture is named in the page of a lab, not shown${at.alt ? `: '${at.alt}'` : ""}.`);
    if ("children" in at) stack.push(...(at.children as RootContent[]));
  }
}

/** A task inside a list or a quotation would be text. */
function hiddenFences(node: RootContent, report: Report): void {
  if (!("children" in node)) return;
  const stack = [...node.children] as RootContent[];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const fence = asFence(at);
    if (fence !== null && (fence.lang === "task" || fence.lang === "moment" || readMeta(fence.meta).values.has("name")))
      report.error(placeOf(at), "LAB006", `A ${fence.lang} stands on its own, not inside a list, quotation or table.`);
    if ("children" in at) stack.push(...(at.children as RootContent[]));
  }
}

function readMoment({ meta, line, text }: Fence, report: Report): Moment | null {
  const place: Place = { line, column: 1, length: meta.length + 9 };
  const { values, problem } = readMeta(meta);
  const program = values.get("program");
  const phase = values.get("phase");
  const step = values.get("step");
  const at = readAt(phase === undefined ? "input" : step === undefined ? phase : `${phase}:${step}`);
  if (problem !== null || program === undefined || typeof at === "string") {
    report.error(
      place,
      "LAB050",
      `moment: ${problem ?? (program === undefined ? "program= is missing" : String(at))}.`,
      "{program=first phase=49 step=12}",
    );
    return null;
  }
  return { program, at, label: text.trim(), place };
}

/** `moment:first/49#3` and `say:first/49#3` in links, and links to the handbook. */
function linkMoments(nodes: readonly RootContent[], report: Report): readonly Moment[] {
  const session = new EngineSession();
  return linksOf(nodes).flatMap(({ link, place }): Moment[] => {
    const colon = link.url.indexOf(":");
    const [scheme, rest] = [link.url.slice(0, Math.max(0, colon)), decode(link.url.slice(colon + 1))];
    switch (scheme) {
      case "phase": {
        const found = session.lookupPhase(rest);
        if (!found.ok) report.error(place, "LAB051", found.message);
        return [];
      }
      case "opcode":
        if (!session.opcodes().some((o) => o.name === rest.toUpperCase())) report.error(place, "LAB052", `There is no opcode '${rest}'.`);
        return [];
      case "knob":
        if (!session.knobs().some((k) => [k.key, k.name, String(k.index)].includes(rest)))
          report.error(place, "LAB053", `There is no knob '${rest}'.`);
        return [];
      case "moment":
      case "say": {
        const slash = rest.indexOf("/");
        const at = readAt(slash < 0 ? "input" : rest.slice(slash + 1));
        if (typeof at !== "string") return [{ program: slash < 0 ? rest : rest.slice(0, slash), at, label: scheme, place }];
        report.error(place, "LAB054", `${link.url}: ${at}.`);
        return [];
      }
      case "http":
      case "https":
      case "mailto":
        return [];
      default:
        report.warning(
          place,
          "LAB055",
          `The link to '${link.url}' leads nowhere from a lab: links are https:, mailto:, moment:, say:, phase:, opcode: or knob:.`,
        );
        return [];
    }
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names that are used but undefined, or defined twice; and the kinds' messages about their own fields. */
function checkNames(lab: Lab, tasks: readonly Task[], report: Report): void {
  const names = lab.programs.map((p) => p.name);
  twice(
    lab.programs,
    (p) => p.name,
    (p) => report.error({ line: p.line, column: 1, length: 0 }, "LAB060", `There are two programs '${p.name}'.`),
  );
  twice(
    tasks,
    (t) => t.id,
    (t) => report.error({ line: t.line, column: 1, length: 0 }, "LAB061", `There are two tasks '${t.id}'.`),
  );
  for (const { program, place } of lab.moments)
    if (!names.includes(program)) report.error(place, "LAB062", `There is no program '${program}'.`, closest(program, names));
  for (const task of tasks) {
    const kind = kindOf(task.kind);
    if (kind === null) continue;
    if (task.program !== null && !names.includes(task.program))
      report.error(
        task.place(["program"]),
        "LAB062",
        `Task ${task.id}: there is no program '${task.program}'.`,
        closest(task.program, names),
      );
    else if (task.program === null && kind.needsProgram(task.spec))
      report.error(task.place([]), "LAB063", `Task ${task.id} needs program:.`, names[0] ?? null);
    for (const { path, message, warning } of kind.problems?.(task.spec, lab) ?? []) {
      if (warning === true) report.warning(task.place(path), "LAB065", `Task ${task.id}: ${message}.`);
      else report.error(task.place(path), "LAB064", `Task ${task.id}: ${message}.`);
    }
  }
}

function twice<T>(items: readonly T[], key: (item: T) => string, say: (item: T) => void): void {
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(key(item))) say(item);
    seen.add(key(item));
  }
}
