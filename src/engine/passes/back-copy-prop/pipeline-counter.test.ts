import { expect, it } from "vitest";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { parseModule } from "../../text/parser.ts";

const TEXT = `.target sm_90
.kernel k(out: RD0)
BB0:
    MOV     R41, 1
    ISETP.LT P0, R41, 5
    SEL     R2, R41, 2, P0
    STG     [RD0], R2
    EXIT
`;

it("register 41 is P0, as in phase 38, and not R41", () => {
  const { module } = parseModule(TEXT);
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases: ["83"], knobs: ["back-copy-prop-enable=on"] }, null);
  const { runs } = runPipeline(module.funcs[0]!, module, plan);
  expect(runs[0]!.outcome!.figures).toMatchObject({ relaxedLater: 1 });
});
