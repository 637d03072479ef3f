/** The pages of what a pass may call: the sections of the document that is made from the types themselves. */

import { type Entry, text } from "./entry.ts";

interface ApiEntry {
  readonly entry: Entry;
  /** The functions and fields that it declares: the page of one is that of what has it. */
  readonly members: readonly string[];
}

/** `document`: `docs/pass-api.md`, with a heading of the third level and a block of code for each name. */
export function apiEntries(document: string): readonly ApiEntry[] {
  return [...document.matchAll(/^### (\w+)\n+```ts\n([\s\S]*?)\n```/gm)].map(([, name = "", code = ""]): ApiEntry => {
    const said = commentText(/^\/\*\*([\s\S]*?)\*\//.exec(code)?.[1] ?? "");
    const lines = code.replace(/^\/\*\*[\s\S]*?\*\/\n/, "").split("\n");
    const members = membersOf(code);
    const entry: Entry = {
      id: `api:${name}`,
      kind: "api",
      title: name,
      name: "oriscope/pass",
      also: `${said} ${members.join(" ")}`,
      body: () => [...(said === "" ? [] : [text(said)]), { kind: "code", lines, numbered: false }],
      example: null,
      phase: null,
    };
    return { entry, members };
  });
}

function membersOf(code: string): readonly string[] {
  return [...code.matchAll(/^ {2}(?:readonly )?(\w+)[?]?[(:<]/gm)].map(([, name = ""]) => name);
}

/** Lines of a comment as one. */
const commentText = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.trim().replace(/^\*/, "").trim())
    .filter((line) => line !== "")
    .join(" ");
