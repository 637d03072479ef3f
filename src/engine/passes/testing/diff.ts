/** A unified diff of two short texts, by longest common subsequence of lines. */

/** Lines of the diff with ` `, `-`, `+`; unchanged runs longer than twice `context` are shortened to `@@`. Empty when the texts are the same. */
export function lineDiff(before: string, after: string, context = 3): string {
  if (before === after) return "";
  const a = before.replace(/\n$/, "").split("\n");
  const b = after.replace(/\n$/, "").split("\n");
  const rows = editScript(a, b);
  const near = new Uint8Array(rows.length);
  rows.forEach((row, i) => {
    if (row.startsWith(" ")) return;
    for (let j = Math.max(0, i - context); j <= Math.min(rows.length - 1, i + context); j++) near[j] = 1;
  });
  const shown: string[] = [];
  rows.forEach((row, i) => {
    if (near[i] === 1) shown.push(row.trimEnd());
    else if (i === 0 || near[i - 1] === 1) shown.push("@@");
  });
  return shown.join("\n");
}

function editScript(a: readonly string[], b: readonly string[]): string[] {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const same = a[i] === b[j];
      common[i * width + j] = same
        ? (common[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const rows: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      rows.push(` ${a[i++]}`);
      j++;
    } else if (i < a.length && (j === b.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))) {
      rows.push(`-${a[i++]}`);
    } else {
      rows.push(`+${b[j++]}`);
    }
  }
  return rows;
}
