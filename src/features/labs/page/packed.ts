/** The content of a package: `lab.js` next to the page sets it before anything else runs. */

export interface Packed {
  readonly text: string;
  readonly classKey: string;
  /** Names the package, so that the work on two of them on one site stays apart. */
  readonly id: string;
  readonly scorm: "1.2" | "2004" | "none";
}

export function packedLab(): Packed | null {
  const packed = (globalThis as { readonly oriscopeLab?: Packed }).oriscopeLab;
  return packed === undefined ? null : packed;
}
