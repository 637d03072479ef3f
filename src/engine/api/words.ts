/** 'Did you mean' for commands and options. */

export { closest } from "../pipeline/closest.ts";
