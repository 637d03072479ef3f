/** `npm run generate`: writes what is generated in `src`. */
import { generate } from "./generate/modules.ts";

await generate();
