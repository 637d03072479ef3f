/** Whether a text is nested deeper than any program that people write: TypeScript's services read it by recursion, and end with an error of the page's. */

const MOST_NESTED = 400;

export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    // ( [ { and ) ] }, those in texts and comments too: a few more or less do not matter.
    if (c === 0x28 || c === 0x5b || c === 0x7b) {
      if (++depth > MOST_NESTED) return true;
    } else if ((c === 0x29 || c === 0x5d || c === 0x7d) && depth > 0) depth--;
  }
  return false;
}
