/** The thread of Check and Compare: judges what the pass's code, asked through the page, made of each program. The code itself runs elsewhere. */

import { expose } from "comlink";
import { CheckBench } from "../../engine/check/check-bench.ts";

expose(new CheckBench(() => performance.now()));
