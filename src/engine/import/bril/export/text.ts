/** What the export to Bril gives. */

/** A Bril program made of functions of the pipeline. Where something has no form in Bril, `problems` say what, and both texts are empty. */
export interface BrilText {
  readonly text: string;
  readonly json: string;
  readonly problems: readonly string[];
}
