import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CORE } from "../../../core.ts";
import { localPort } from "../../../session/engine-port.ts";
import { SessionProvider } from "../../../session/hooks.ts";
import type { CellValue } from "../../../session/moment.ts";
import { createSession } from "../../../session/session.ts";
import { createFakeEngine } from "../../../testing/fake-engine.ts";
import { ExpressionsView } from "./expressions.tsx";

const CELLS = new Map<string, CellValue>([
  ["l0", { text: "R2", rule: "c", number: 2 }],
  ["l1", { text: "R1", rule: "c", number: 1 }],
  ["t0", { op: "ADD", inst: "IADD R3, R2, R1", below: ["l0", "l1"] }],
]);

test("the tree marks the cells that a step changed, that it is about, and that are selected", () => {
  const session = createSession(localPort(createFakeEngine), { features: CORE });
  const structure = { name: "flattened-tree", type: "table", title: "", cells: CELLS, touched: new Set(["t0"]) } as const;
  const html = renderToStaticMarkup(
    <SessionProvider value={session}>
      <ExpressionsView structure={structure} focused={new Set(["l0"])} selected="l1" onSelect={() => undefined} />
    </SessionProvider>,
  );
  session.dispose();
  const marked = (mark: string) => html.match(/<rect[^>]*>/g)?.filter((rect) => rect.includes(mark)).length;
  expect([marked("<rect"), marked("touched"), marked("focused"), marked("selected")]).toEqual([3, 1, 1, 1]);
});
