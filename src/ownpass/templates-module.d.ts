/** The files of `passes/`, by their names without the ending; see scripts/lib/templates-plugin.mjs. */
declare module "virtual:pass-templates" {
  export const PASS_FILES: Readonly<Record<string, { readonly solution: string; readonly exercise: string | null }>>;
}
