/** 'Did you mean' for commands and options. */

export { closest } from "../ir/closest.ts";
