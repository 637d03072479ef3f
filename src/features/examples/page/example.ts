/** How much knowledge an example needs, by its topic. */

export const LEVELS = ["first", "course", "expert"] as const;
export type Level = (typeof LEVELS)[number];

export const LEVEL_TITLES: Readonly<Record<Level, string>> = {
  first: "First steps",
  course: "Compiler course",
  expert: "ptxas in depth",
};

const FIRST: ReadonlySet<string> = new Set(["First programs", "From C"]);
const FIRST_IDS: ReadonlySet<string> = new Set(["sum-positive", "five-blocks", "two-adds"]);
const COURSE: ReadonlySet<string> = new Set(["Loops", "Branches", "Switches", "Redundancy", "Tails and layout"]);

/** `group` is an example's topic; programs for one condition of one phase are for those who know the phase. */
export function levelOf({ id, group }: { readonly id: string; readonly group: string }): Level {
  if (FIRST.has(group) || FIRST_IDS.has(id)) return "first";
  return COURSE.has(group) ? "course" : "expert";
}
