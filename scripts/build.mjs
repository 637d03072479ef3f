/** `npm run build`: makes dist/ current. */
import { ensureBuilt } from "./lib/build.mjs";

ensureBuilt();
