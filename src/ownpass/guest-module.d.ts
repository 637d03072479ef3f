/** The program that runs a pass's code, bundled; see scripts/lib/guest-plugin.mjs. */
declare module "virtual:pass-guest" {
  export const GUEST_SCRIPT: string;
}

/** The same as a worker of a page's sandboxed frame. */
declare module "virtual:pass-guest-worker" {
  export const GUEST_SCRIPT: string;
}
