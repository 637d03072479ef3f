import { expect, it } from "vitest";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { EngineSession } from "../session.ts";

const MODULE = `.target sm_80
.func twice(x: R4) -> R5
B0:
    IADD R5, R4, R4
    RET
.kernel other(out: RD0)
B0:
    STG [RD0], RZ
    EXIT
.kernel caller(a: R4, out: RD0)
B0:
    IADD R6, R4, 0
    CALL twice, {R5}, {R6}
    STG [RD0], R5
    EXIT
`;

it("a kernel handed to another session runs there as it does here, with the functions that it calls", () => {
  const here = new EngineSession();
  const there = new EngineSession();
  const opened = here.open(1, MODULE, "ori");
  expect(opened.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const options = { ...DEFAULT_OPTIONS, verify: true, check: 4, fuel: null };
  expect(here.alone("nobody")).toBeNull();
  for (const { name } of opened.kernels.filter((k) => k.kind === "kernel")) {
    const alone = structuredClone(here.alone(name));
    expect(alone?.funcs.map((fn) => fn.name)).toEqual(name === "caller" ? ["caller", "twice"] : [name]);
    if (alone === null) continue;
    there.adopt(alone);
    expect(there.run(1, name, options)).toEqual(here.run(1, name, options));
    expect(there.headerText()).toBe(here.headerText());
  }
});
