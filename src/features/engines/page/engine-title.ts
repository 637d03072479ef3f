/** An engine's name for people: its version, and the hash that distinguishes builds of one version. */
export function engineTitle({ version, build }: { readonly version: string; readonly build: string }): string {
  return build === "" ? version : `${version} (${build})`;
}
