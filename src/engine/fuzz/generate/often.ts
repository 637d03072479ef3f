/** A list to draw from that contains each item as often as its row says. */
export function often<T>(rows: readonly (readonly [times: number, item: T])[]): readonly T[] {
  return rows.flatMap(([times, item]) => Array.from({ length: times }, () => item));
}
