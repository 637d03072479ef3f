/** What the build makes. */
declare module "virtual:pass-types" {
  /** Declares `oriscope/pass`. */
  export const PASS_TYPES: string;
}
