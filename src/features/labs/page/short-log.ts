/** A log without what is not counted: what a hand-in contains where its lab asks for no more. */

const ANSWER = /^answer \d{1,6}: /;

/** Of each task and each of its programs the first and the last answer, hints, and where the answer was shown. */
export function shortLog<E extends { readonly task: string; readonly event: string }>(log: readonly E[]): readonly E[] {
  const last = new Map<string, number>();
  const kept = new Set<number>();
  const close = (task: string): void => {
    const index = last.get(task);
    if (index !== undefined) kept.add(index);
    last.delete(task);
  };
  for (const [index, { task, event }] of log.entries()) {
    if (ANSWER.test(event)) {
      if (!last.has(task)) kept.add(index);
      last.set(task, index);
    } else if (event !== "reset") {
      kept.add(index);
      if (event === "another program") close(task);
    }
  }
  for (const task of [...last.keys()]) close(task);
  return log.filter((_, index) => kept.has(index));
}
