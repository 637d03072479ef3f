/** Joins class names, leaving out what is not there. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((n) => typeof n === "string" && n !== "").join(" ");
}
