/** Text of a program inside Markdown: nothing in it may be read as Markdown, least of all as a link. */

/** Text in the code font, fenced with more backquotes than it has in a row. */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  if (line === "") return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  // A reader of Markdown removes the spaces that belong to the fence.
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Text in the font of the sentence around it. */
export function plainText(text: string): string {
  return (
    oneLine(text)
      .replace(/[\\`*_[\]<>&~|!#:@]/g, "\\$&")
      // Addresses become links without any brackets; those with a scheme have lost their colon.
      .replace(/www\./gi, (www) => `${www.slice(0, -1)}\\.`)
  );
}

/** Markdown ends inline code, and everything else, at an empty line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
