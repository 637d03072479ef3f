/** The course on the site: each lab to read, with the programs of one student, and its file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../../../src/features/labs/engine/lab.ts";
import { readLab } from "../../../src/features/labs/engine/read/read-lab.ts";
import { labBody } from "../../../src/features/labs/engine/render.ts";
import { Stage } from "../../../src/features/labs/engine/stage.ts";
import { encodeLab } from "../../../src/features/labs/link/lab-link.ts";
import { root } from "../root.mjs";
import { escapeHtml } from "./markdown.ts";
import { type SitePage, wayTo } from "./template.ts";

export const LABS_PATH = "handbook/labs/index.html";
const FOLDER = join(root, "labs");
/** Whose programs are shown: those of `oriscope lab show` by default. */
const SEED = 1;

interface CourseLab {
  readonly file: string;
  readonly text: string;
  readonly lab: Lab;
}

/** Files of the course, which a host serves unchanged. */
export const labFiles = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => /^\d\d-.*\.md$/.test(file))
    .sort();

/** `phaseLink` gives the address of a phase's page from another page; null: it has none. */
export async function labPages(phaseLink: (from: string, id: string) => string | null): Promise<SitePage[]> {
  const course = labFiles().map((file): CourseLab => {
    const text = readFileSync(join(FOLDER, file), "utf8");
    const { lab, diagnostics } = readLab(text);
    const problem = diagnostics.find((d) => d.severity === "error");
    if (lab === null || problem !== undefined) throw new Error(`labs/${file}:${problem?.line ?? 1}: ${problem?.message ?? "not a lab"}`);
    return { file, text, lab };
  });
  return [indexPage(course), ...(await Promise.all(course.map((one, i) => labPage(one, i, course, phaseLink))))];
}

const pathOf = ({ file }: CourseLab): string => `handbook/labs/${file.replace(/\.md$/, ".html")}`;

function indexPage(course: readonly CourseLab[]): SitePage {
  const items = course.map((one) => {
    const { title, objectives } = one.lab.front;
    return `<li><a href="${wayTo(LABS_PATH, pathOf(one))}">${escapeHtml(title)}</a> <span class="quiet">${effort(one.lab)}</span><br>${escapeHtml(listed(objectives))}</li>`;
  });
  const description =
    "A course on the analyses and transformations of an optimizer: reading, and tasks that the engine answers and grades.";
  const body = `<h1>Labs</h1>
<p>${description} The programs of a lab differ from student to student. <a href="${wayTo(LABS_PATH, "handbook/teaching.html")}">How labs are written and graded</a>.</p>
<ol class="list">
${items.join("\n")}
</ol>`;
  return { path: LABS_PATH, title: "Labs", description, body, live: false };
}

const effort = ({ front, tasks }: Lab): string =>
  [
    front.minutes === null ? null : `${front.minutes} min`,
    `${tasks.length} tasks`,
    `${tasks.reduce((sum, task) => sum + task.points, 0)} points`,
  ]
    .filter((part) => part !== null)
    .join(", ");

function listed(objectives: readonly string[]): string {
  const text = objectives.join("; ");
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

async function labPage(
  one: CourseLab,
  at: number,
  course: readonly CourseLab[],
  phaseLink: (from: string, id: string) => string | null,
): Promise<SitePage> {
  const { lab, file, text } = one;
  const path = pathOf(one);
  const { title, objectives } = lab.front;
  const inside = labBody(lab, new Stage(lab, SEED), (href) => (href.startsWith("phase:") ? phaseLink(path, href.slice(6)) : null));
  const next = course[at + 1];
  const after = next === undefined ? "" : `\n<p>Next: <a href="${wayTo(path, pathOf(next))}">${escapeHtml(next.lab.front.title)}</a></p>`;
  const goals = objectives.map((goal) => `<li>${escapeHtml(goal)}</li>`).join("\n");
  const body = `<h1>${escapeHtml(title)}</h1>
<p class="quiet">Lab ${at + 1} of ${course.length} · ${effort(lab)} · <a href="${file}" download>${file}</a></p>
<p>You will be able to:</p>
<ul>
${goals}
</ul>
<p><a href="${wayTo(path, "")}#${await encodeLab(text)}">Work on this lab in the explorer</a>: each answer is graded there. The programs below are those of one student.</p>
${inside}${after}`;
  return { path, title: `Lab ${at + 1}: ${title}`, description: listed(objectives) || `A lab: ${title}.`, body, live: false };
}
