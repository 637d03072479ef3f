/** A lab with one task of many kinds, and helpers that judge an answer to one of its tasks. */

import { judgeTask, type TaskResult } from "../judge.ts";
import type { Lab } from "../lab.ts";
import { readLab } from "../read/read-lab.ts";
import { Stage } from "../stage.ts";

export const HEAD = "---\ntitle: Small\nid: small\nversion: 1\n---\n";

export const DIAMOND = `.kernel d(n: R0, out: RD1)
BB0:
    IADD R2, R0, 1
    ISETP.LT P0, R2, 5
    @P0 BRA BB2
BB1:
    IADD R2, R2, 3
    IADD R3, R2, 1
    BRA BB3
BB2:
    IADD R3, R0, 2
BB3:
    ISETP.LT.U32 P1, R3, 9
    @P1 BRA BB1
BB4:
    STG [RD1], R3
    EXIT
`;

export const fence = (info: string, text: string): string => `\n\`\`\`${info}\n${text.trimEnd()}\n\`\`\`\n`;
export const task = (id: string, yaml: string, points = 2): string => fence(`task {id=${id} points=${points}}`, yaml);

/** Reads a lab that has to be without errors. */
export function goodLab(body: string, head = HEAD): Lab {
  const { lab, diagnostics } = readLab(head + body);
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (lab === null || errors.length > 0) throw new Error(errors.map((d) => `${d.line}:${d.column} ${d.code} ${d.message}`).join("\n"));
  return lab;
}

/** Judges answers to the only task of a lab with one program. */
export function judgeOne(yaml: string, answer: unknown, program = DIAMOND): TaskResult {
  const lab = goodLab(fence("ori {name=p}", program) + task("t", yaml));
  const only = lab.tasks[0];
  if (only === undefined) throw new Error("no task");
  return judgeTask(new Stage(lab, 0), only, answer, 0, 0);
}
