/** A number with its noun: `1 block`, `3 blocks`. Sentences of events choose their words in the template instead (`trace/event.ts`). */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The same for the page: `1,200 steps`. */
export function groupedPlural(count: number, one: string, many = `${one}s`): string {
  let rest = String(count);
  let grouped = "";
  for (; rest.length > 3; rest = rest.slice(0, -3)) grouped = `,${rest.slice(-3)}${grouped}`;
  return `${rest}${grouped} ${count === 1 ? one : many}`;
}
