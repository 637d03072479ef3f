/** Loops with a condition inside, one after the other: six blocks each. @param {number} blocks */
export function loops(blocks) {
  const lines = [".kernel bench(n: R0, a: RD1, out: RD2)", "entry:", "    MOV R1, 0"];
  let count = 1;
  for (let i = 0; count + 6 <= blocks; i++) {
    lines.push(`H${i}:`, `    ISETP.GE P0, R${10 + (i % 9)}, R0`, `@P0 BRA X${i}`);
    lines.push("    IADD R3, R3, R1", `    ISETP.LT P1, R3, ${i}`, `@P1 BRA T${i}`);
    lines.push("    IADD R4, R4, 1", "    SHL R5, R4, 2", `    BRA J${i}`);
    lines.push(`T${i}:`, "    ISUB R4, R4, R3", `J${i}:`, `    IADD R${10 + (i % 9)}, R${10 + (i % 9)}, 1`, `    BRA H${i}`);
    lines.push(`X${i}:`, "    LOP.XOR R6, R6, R4");
    count += 6;
  }
  lines.push("end:", "    STG [RD2], R6", "    EXIT", "");
  return { source: lines.join("\n"), count };
}
