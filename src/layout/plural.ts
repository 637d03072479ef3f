/** A number with its noun: `1 block`, `3 blocks`, `1,200 cards`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  const number = count < 1000 ? String(count) : count.toLocaleString("en");
  return `${number} ${count === 1 ? one : many}`;
}
