/** A lab's text as a sanitised tree and as a page to read: no content of the file can run. */

import type { Element, ElementContent, Nodes, Root, RootContent } from "hast";
import { defaultSchema, type Schema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import type { RootContent as Markdown } from "mdast";
import { toHast } from "mdast-util-to-hast";
import { Context } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { Lab, Part, Task } from "./lab.ts";
import { readAt } from "./read/at.ts";
import { BrokenTask, eventAt, type Stage } from "./stage.ts";

/** Links of our own schemes are kept; the page that shows them interprets them. */
const SCHEMA: Schema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto", "moment", "say", "phase", "opcode", "knob"], src: ["https"] },
};

/** Markdown as a tree of elements that may be shown: no HTML of the file's own, no scripts, no styles, known link schemes only. */
export function safeTree(nodes: readonly Markdown[], stage: Stage | null): Root {
  const made = sanitize(toHast({ type: "root", children: [...nodes] }), SCHEMA);
  const root: Root = made.type === "root" ? made : { type: "root", children: made.type === "doctype" ? [] : [made as RootContent] };
  for (const link of elementsOf(root)) if (link.tagName === "a") resolveLink(link, stage);
  return root;
}

function elementsOf(root: Root): readonly Element[] {
  const found: Element[] = [];
  const stack: Nodes[] = [...root.children];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type !== "element") continue;
    found.push(node);
    stack.push(...node.children);
  }
  return found;
}

/** `say:` becomes the engine's sentence; external links open elsewhere without a referrer. */
function resolveLink(link: Element, stage: Stage | null): void {
  const href = String(link.properties.href ?? "");
  if (href.startsWith("say:")) {
    const said = stage === null ? null : sentenceAt(href.slice(4), stage);
    link.tagName = "q";
    link.properties = {};
    if (said !== null) link.children = [{ type: "text", value: said }];
  } else if (/^https?:/.test(href)) link.properties = { ...link.properties, target: "_blank", rel: ["noopener", "noreferrer"] };
}

function sentenceAt(address: string, stage: Stage): string | null {
  const slash = address.indexOf("/");
  const at = readAt(address.slice(slash + 1));
  if (slash < 0 || typeof at === "string") return null;
  try {
    return eventAt(stage.run(stage.program(address.slice(0, slash)), stage.pipeline), at).event.sentence;
  } catch (error) {
    if (error instanceof BrokenTask) return null;
    throw error;
  }
}

/** The whole lab as a page to print or to look at: text, programs of this student, questions. */
export function labPage(lab: Lab, stage: Stage): string {
  const title = { type: "text", value: lab.front.title } as const;
  return `${toHtml(pageRoot(lab.front.title, [element("h1", [title]), ...bodyOf(lab, stage)]))}\n`;
}

/** A document that runs nothing and requests nothing. */
export function pageRoot(title: string, body: readonly ElementContent[]): Root {
  const policy = { httpEquiv: ["Content-Security-Policy"], content: "default-src 'none'; style-src 'unsafe-inline'" };
  const head = element("head", [
    { ...element("meta", []), properties: { charSet: "utf-8" } },
    { ...element("meta", []), properties: policy },
    element("title", [{ type: "text", value: title }]),
    element("style", [{ type: "text", value: STYLE }]),
  ]);
  const html = element("html", [head, element("body", [element("main", [...body])])]);
  return { type: "root", children: [{ type: "doctype" }, { ...html, properties: { lang: "en" } }] };
}

/** The same as a part of another page; `linkOf` gives the address of what a link of our own (`phase:gvn-cse`) leads to, null where it leads nowhere. */
export function labBody(lab: Lab, stage: Stage, linkOf: (href: string) => string | null): string {
  const root: Root = { type: "root", children: bodyOf(lab, stage) };
  for (const link of elementsOf(root)) {
    const href = String(link.properties.href ?? "");
    if (link.tagName !== "a" || /^(?:https?|mailto):/.test(href)) continue;
    const to = linkOf(href);
    if (to === null) link.tagName = "span";
    link.properties = to === null ? {} : { ...link.properties, href: to };
  }
  return toHtml(root);
}

const bodyOf = (lab: Lab, stage: Stage): ElementContent[] => lab.parts.flatMap((part) => partTree(lab, part, stage));

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;border:1px solid;padding:.5rem}section{border-inline-start:3px solid;padding-inline-start:1rem;margin-block:1.5rem}";

function element(tagName: string, children: ElementContent[]): Element {
  return { type: "element", tagName, properties: {}, children };
}

const text = (value: string): ElementContent => ({ type: "text", value });

function partTree(lab: Lab, part: Part, stage: Stage): ElementContent[] {
  switch (part.kind) {
    case "text":
      return safeTree(part.nodes, stage).children.filter((node) => node.type !== "doctype") as ElementContent[];
    case "program":
      return [
        element("figure", [
          element("figcaption", [text(part.name)]),
          element("pre", [element("code", [text(programText(part.name, stage))])]),
        ]),
      ];
    case "moment":
      return [element("p", [text(part.moment.label)])];
    case "task": {
      const task = lab.tasks.find((t) => t.id === part.id);
      return task === undefined ? [] : [taskTree(task, stage)];
    }
  }
}

function programText(name: string, stage: Stage): string {
  try {
    return stage.program(name).text;
  } catch (error) {
    if (error instanceof BrokenTask) return error.message;
    throw error;
  }
}

/** What a task gives to choose from or to put in order; lines are in alphabetical order, which reveals nothing. */
function given(spec: unknown): readonly string[] {
  const { options, lines, distractors } = spec as {
    readonly options?: readonly { readonly text: string }[];
    readonly lines?: readonly string[];
    readonly distractors?: readonly string[];
  };
  return options?.map((o) => o.text) ?? (lines === undefined ? [] : [...lines, ...(distractors ?? [])].sort());
}

/** What a task draws for the student instead of a program. */
function drawn(task: Task, stage: Stage): readonly string[] {
  try {
    const text = kindOf(task.kind)?.drawn?.(task.spec, new Context(stage, task, 0)) ?? null;
    return text === null ? [] : [`${text}.`];
  } catch (error) {
    if (error instanceof BrokenTask) return [error.message];
    throw error;
  }
}

function taskTree(task: Task, stage: Stage): Element {
  const { id, points, ask, spec } = task;
  const list = given(spec);
  const heading = `${id} (${points} ${points === 1 ? "point" : "points"})`;
  return element("section", [
    element("h3", [text(heading)]),
    ...[...ask.split(/\n{2,}/), ...drawn(task, stage)].map((paragraph) => element("p", [text(paragraph)])),
    ...(list.length === 0
      ? []
      : [
          element(
            "ul",
            list.map((item) => element("li", [text(item)])),
          ),
        ]),
  ]);
}
