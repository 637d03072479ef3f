/** A number with its noun: `1 match`, `3 matches`, `1,200 steps`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  // Formatting is slow, and most counts of a step are small.
  const number = count < 1000 ? String(count) : count.toLocaleString("en");
  return `${number} ${count === 1 ? one : many}`;
}
