/** The student who used this browser last, as they typed it: the next lab begins with it. */

const KEY = "oriscope.lab.student";

export function lastStudent(): { readonly name: string; readonly number: string } {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof value !== "object" || value === null) return { name: "", number: "" };
    const { name, number } = value as Readonly<Record<string, unknown>>;
    return { name: typeof name === "string" ? name : "", number: typeof number === "string" ? number : "" };
  } catch {
    return { name: "", number: "" };
  }
}

export function rememberStudent(name: string, number: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ name, number }));
  } catch {
    // It is typed again next time.
  }
}

export function forgetStudent(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
