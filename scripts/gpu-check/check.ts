/** Runs cases on the device and compares memory, word by word. */

import type { Case } from "./cases.ts";
import type { Answer, Device, Job } from "./driver.ts";

export interface Report {
  readonly same: number;
  readonly different: readonly { readonly name: string; readonly what: string }[];
  /** Kernels for which the device or the driver's compiler is too old. */
  readonly refused: readonly { readonly name: string; readonly what: string }[];
}

export interface Runner {
  run(job: Job): Promise<Answer>;
}

/** The driver's words for a text that is newer than it is, or for other devices. */
const TOO_NEW = new Set(["CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "CUDA_ERROR_NO_BINARY_FOR_GPU", "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"]);

export async function check(cases: readonly Case[], runner: Runner, device: Device, told: (line: string) => void): Promise<Report> {
  let same = 0;
  const different: { name: string; what: string }[] = [];
  const refused: { name: string; what: string }[] = [];
  for (const one of cases) {
    if (one.sm > device.sm) {
      refused.push({ name: one.name, what: `it is for sm_${one.sm}, the device is sm_${device.sm}` });
      continue;
    }
    const answer = await runner.run(one.job);
    if ("error" in answer && answer.stage === "load" && TOO_NEW.has(answer.error)) {
      refused.push({ name: one.name, what: answer.error });
      continue;
    }
    const what = "error" in answer ? `${answer.stage}: ${answer.error}` : difference(one, answer.buffers);
    if (what === null) same++;
    else {
      different.push({ name: one.name, what });
      told(`${one.name}: ${what}`);
    }
  }
  return { same, different, refused };
}

/** The first word that differs; null when there is none. */
export function difference({ expected, approximate }: Pick<Case, "expected" | "approximate">, buffers: readonly string[]): string | null {
  if (buffers.length !== expected.length) return `${buffers.length} buffers came back of ${expected.length}`;
  for (const [i, bytes] of expected.entries()) {
    const got = Buffer.from(buffers[i] ?? "", "base64");
    if (got.length !== bytes.length) return `buffer ${i} has ${got.length} bytes of ${bytes.length}`;
    const want = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let wrong = 0;
    let first = "";
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const [x, y] = [want.getUint32(at, true), got.readUInt32LE(at)];
      if (x === y || (approximate && isClose(want.getFloat32(at, true), got.readFloatLE(at)))) continue;
      if (wrong++ === 0) first = `buffer ${i}, byte ${at}: the device has 0x${y.toString(16)}, the interpreter 0x${x.toString(16)}`;
    }
    if (wrong > 0) return wrong === 1 ? first : `${first}; ${wrong} words differ`;
  }
  return null;
}

/** Within the error that PTX guarantees for its approximations, several of them in sequence. */
function isClose(a: number, b: number): boolean {
  if (Number.isNaN(a) && Number.isNaN(b)) return true;
  return Math.abs(a - b) <= 2 ** -16 * Math.max(Math.abs(a), Math.abs(b));
}
