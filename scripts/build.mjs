/** `npm run build`: makes dist/ current. */
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";

ensureInstalled();
ensureBuilt();
