/** Made by scripts/lib/player-plugin.mjs of src/player. */
declare module "virtual:player" {
  /** The script, bundled and minified; it holds no `</script`. */
  export const PLAYER_SCRIPT: string;
  /** `sha256-…` of the script, as a content policy names it. */
  export const PLAYER_HASH: string;
  export const PLAYER_STYLE: string;
}
