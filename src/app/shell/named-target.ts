/** Whether a text names a target: PTX and Ori by `.target sm_90`, listings by `code for sm_90`, `arch = sm_90` or their ELF flags. */

/** It is said at the head of a text. */
const HEAD = 50_000;

export function namesTarget(text: string): boolean {
  return /(?:\.target|code for|arch =)[ \t]+(?:sm|compute)_?\d|EF_CUDA_SM\d/.test(text.slice(0, HEAD));
}
