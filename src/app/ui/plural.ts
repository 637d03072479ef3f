/** A number with its noun: `1 match`, `3 matches`, `1,200 steps`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
