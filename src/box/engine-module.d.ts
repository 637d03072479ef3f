/** QuickJS, compiled to WebAssembly, with a meter put in, compressed and as Base64; see scripts/lib/guest-plugin.mjs. */
declare module "virtual:pass-engine" {
  export const ENGINE: string;
}
