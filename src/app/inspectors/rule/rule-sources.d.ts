/** Made by scripts/vite/rule-sources.ts of src/engine/passes. */
declare module "virtual:rule-sources" {
  interface RuleSources {
    /** Paths from the repository's root. */
    readonly files: readonly { readonly path: string; readonly text: string }[];
    readonly rules: Readonly<Record<string, readonly import("./rule-of-step.ts").RulePlace[]>>;
  }
  /** By family. */
  export const SOURCES: Readonly<Record<string, () => Promise<{ readonly sources: RuleSources }>>>;
}
