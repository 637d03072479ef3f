/** The program inside the box that runs a pass's code, bundled; see scripts/lib/guest-plugin.mjs. */
declare module "virtual:pass-guest" {
  export const GUEST_SCRIPT: string;
}

/** A page's worker with a box in it, as text. */
declare module "virtual:pass-worker" {
  export const WORKER_SCRIPT: string;
}
