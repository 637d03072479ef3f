/** The fenced programs of a lab's draft, as far as known while it is being written: line by line, so that a long draft costs no more than its length. */

export interface DraftFence {
  /** What is between the braces after the language. */
  readonly attributes: string;
  readonly body: string;
}

const OPEN = /^(`{3,}|~{3,})\w+ \{([^{}]*)/;

export function fencesOf(draft: string): readonly DraftFence[] {
  const found: DraftFence[] = [];
  let open: { readonly fence: string; readonly attributes: string; readonly lines: string[] } | null = null;
  for (const line of draft.split("\n")) {
    if (open === null) {
      const [, fence, attributes = ""] = OPEN.exec(line) ?? [];
      if (fence !== undefined) open = { fence, attributes, lines: [] };
    } else if (line.trimEnd() === open.fence) {
      found.push({ attributes: open.attributes, body: open.lines.join("\n") });
      open = null;
    } else open.lines.push(line);
  }
  // One that is not closed yet.
  if (open !== null) found.push({ attributes: open.attributes, body: open.lines.join("\n") });
  return found;
}

/** A value among the attributes, such as `name=loop`; null where it has none. */
export function attribute({ attributes }: DraftFence, key: "id" | "name"): string | null {
  const word = attributes.split(/\s/).find((each) => each.startsWith(`${key}=`));
  return /^[\w.-]+/.exec(word?.slice(key.length + 1) ?? "")?.[0] ?? null;
}
