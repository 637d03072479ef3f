/** Functions of one shape and any size, as Ori text: what a phase's growth is measured on. All are about `n` instructions. */

const HEAD = ".kernel shape(out: RD0, n: R2, m: R3)";

/** Conditions one after the other; each writes registers of its own, and one in eight of them is read at the very end. */
export function chainOfDiamonds(n: number): string {
  const lines = [HEAD, "B0:"];
  const kept: string[] = [];
  const count = Math.max(1, Math.floor(n / 8));
  for (let i = 0; i < count; i++) {
    const r = 10 + 3 * i;
    lines.push(`  ISETP.LT P${i}, R2, ${i}`, `  @P${i} BRA T${i}`);
    lines.push(`F${i}:`, `  IADD3 R${r}, R2, ${i}, RZ`, `  MOV R${r + 1}, R${r}`, `  BRA J${i}`);
    lines.push(`T${i}:`, `  IADD3 R${r + 1}, R3, ${i}, RZ`);
    lines.push(`J${i}:`, `  IADD3 R${r + 2}, R${r + 1}, R3, RZ`, `  STG [RD0+${4 * (i % 1000)}], R${r + 2}`);
    if (i % 8 === 0) kept.push(`R${r + 2}`);
  }
  return close(lines, kept);
}

/** Loops one after the other, each with a condition inside. */
export function chainOfLoops(n: number): string {
  const lines = [HEAD, "B0:"];
  const kept: string[] = [];
  const count = Math.max(1, Math.floor(n / 12));
  for (let i = 0; i < count; i++) {
    const r = 10 + 4 * i;
    const p = 2 * i;
    lines.push(`  MOV R${r}, 0`, `  MOV R${r + 1}, R2`);
    lines.push(`H${i}:`, `  IADD3 R${r + 2}, R${r + 1}, R${r}, RZ`, `  ISETP.GT P${p}, R${r + 2}, R3`, `  @P${p} BRA L${i}`);
    lines.push(`A${i}:`, `  MOV R${r + 3}, R${r + 2}`, `  IADD3 R${r + 1}, R${r + 3}, 1, RZ`);
    lines.push(`L${i}:`, `  IADD3 R${r}, R${r}, 1, RZ`, `  ISETP.LT P${p + 1}, R${r}, 4`, `  @P${p + 1} BRA H${i}`);
    lines.push(`X${i}:`, `  STG [RD0+${4 * (i % 1000)}], R${r + 1}`);
    if (i % 8 === 0) kept.push(`R${r + 1}`);
  }
  return close(lines, kept);
}

/** Loops one after the other that all read and write the same few registers: each definition may reach everything after it. */
export function sharedLoops(n: number): string {
  const lines = [HEAD, "B0:", ...[1, 4, 5, 6, 7, 8].map((r) => `  MOV R${r}, ${r}`)];
  const count = Math.max(1, Math.floor(n / 15));
  for (let i = 0; i < count; i++) {
    lines.push(`H${i}:`, "  ISETP.GE P0, R1, R2", `  @P0 BRA X${i}`);
    lines.push(`A${i}:`, "  IADD3 R4, R4, R5, RZ", "  MOV R6, R4", `  ISETP.LT P1, R6, ${i}`, `  @P1 BRA T${i}`);
    lines.push(`F${i}:`, "  @P0 IADD3 R5, R5, 1, RZ", "  MOV R7, 3", `  BRA J${i}`);
    lines.push(`T${i}:`, "  MOV R7, 3", "  IADD3 R4, R4, R3, RZ");
    lines.push(`J${i}:`, "  IADD3 R8, R7, R6, RZ", "  IADD3 R1, R1, 1, RZ", `  BRA H${i}`);
    lines.push(`X${i}:`, `  STG [RD0+${4 * (i % 1000)}], R8`);
  }
  return close(lines, ["R4", "R5"]);
}

/** One block: a sum over and over, with copies and constants in it. */
export function longBlock(n: number): string {
  const lines = [HEAD, "B0:"];
  const count = Math.max(1, Math.floor(n / 5));
  for (let i = 0; i < count; i++) {
    const r = 10 + 4 * i;
    const before = i === 0 ? "R2" : `R${r - 1}`;
    lines.push(`  MOV R${r}, ${before}`, `  MOV R${r + 1}, ${i % 7}`, `  IADD3 R${r + 2}, R${r}, R${r + 1}, RZ`);
    lines.push(`  LOP.AND R${r + 3}, R${r + 2}, R3`, `  STG [RD0+${4 * (i % 1000)}], R${r + 3}`);
  }
  return close(lines, []);
}

/** Conditions inside one another, all of which leave to one block far below: a deep dominator tree, and joins with thousands of ways in. */
export function deepNest(n: number): string {
  const lines = [HEAD, "B0:"];
  const count = Math.max(1, Math.floor(n / 6));
  for (let i = 0; i < count; i++) {
    const r = 10 + 2 * i;
    lines.push(`  ISETP.LT P${i}, R2, ${i}`, `  @P${i} BRA OUT${i % 2}`);
    lines.push(`D${i}:`, `  IADD3 R${r}, R2, ${i}, RZ`, `  MOV R${r + 1}, R${r}`, `  STG [RD0+${4 * (i % 1000)}], R${r + 1}`);
  }
  lines.push("  BRA OUT1", "OUT0:", "  STG [RD0], R2", "OUT1:");
  return close(lines, ["R3"]);
}

/** One value compared with constants over and over, and a small body a case. */
export function compareChain(n: number): string {
  const lines = [HEAD, "B0:", "  MOV R4, 0"];
  const count = Math.max(1, Math.floor(n / 5));
  for (let i = 0; i < count; i++) lines.push(`C${i}:`, `  ISETP.EQ P${i}, R2, ${3 * i}`, `  @P${i} BRA S${i}`);
  lines.push("  BRA END");
  for (let i = 0; i < count; i++) lines.push(`S${i}:`, `  IADD3 R4, R3, ${i}, RZ`, `  STG [RD0+${4 * (i % 1000)}], R4`, "  BRA END");
  lines.push("END:");
  return close(lines, ["R4"]);
}

/** Blocks that jump forward and back without structure. */
export function tangle(n: number): string {
  const lines = [HEAD, "B0:", "  MOV R4, 0", "  MOV R5, 0"];
  const count = Math.max(4, Math.floor(n / 6));
  for (let i = 0; i < count; i++) {
    const to = (i * 7919 + 13) % 97 < 60 ? Math.min(count - 1, i + 1 + ((i * 31) % 23)) : Math.max(0, i - ((i * 17) % 29));
    const r = 6 + (i % 40);
    lines.push(
      `N${i}:`,
      `  IADD3 R${r}, R4, ${i}, R3`,
      "  IADD3 R4, R4, 1, RZ",
      `  ISETP.LT P${i % 6}, R${r}, R2`,
      `  STG [RD0+${4 * (i % 1000)}], R${r}`,
    );
    lines.push("  ISETP.GT P6, R4, 1000", "  @P6 BRA DONE", `  @P${i % 6} BRA N${to}`);
  }
  lines.push("DONE:");
  return close(lines, ["R4"]);
}

function close(lines: string[], kept: readonly string[]): string {
  for (const [i, r] of kept.entries()) lines.push(`  STG [RD0+${4096 + 4 * i}], ${r}`);
  lines.push("  EXIT", "");
  return lines.join("\n");
}

/** Labels that nobody jumps to, one instruction each: all of it is one block. */
export function labels(n: number): string {
  const lines = [HEAD, "B0:", "  MOV R4, 0"];
  const count = Math.max(1, Math.floor(n));
  for (let i = 0; i < count; i++) lines.push(`N${i}:`, `  IADD3 R4, R4, ${i % 97}, R3`);
  return close(lines, ["R4"]);
}

/** Labels with nothing after them; a jump to every tenth one. */
export function emptyLabels(n: number): string {
  const lines = [HEAD, "B0:", "  MOV R4, 0"];
  const count = Math.max(10, Math.floor(n));
  for (let i = 0; i < count; i++) {
    lines.push(`N${i}:`);
    if (i % 10 === 0) lines.push(`  ISETP.LT P0, R2, ${i}`, `  IADD3 R4, R4, ${i}, RZ`, `  @P0 BRA N${Math.min(count - 1, i + 5)}`);
  }
  return close(lines, ["R4"]);
}

/** Loops inside one another. */
export function loopNest(n: number): string {
  const lines = [HEAD, "B0:"];
  const count = Math.max(1, Math.floor(n / 4));
  for (let i = 0; i < count; i++) lines.push(`  MOV R${10 + i}, 0`, `H${i}:`);
  lines.push("  STG [RD0], R2");
  for (let i = count - 1; i >= 0; i--) {
    lines.push(`L${i}:`, `  IADD R${10 + i}, R${10 + i}, 1`, `  ISETP.LT P${i}, R${10 + i}, R2`, `  @P${i} BRA H${i}`);
  }
  lines.push("X:");
  return close(lines, []);
}
