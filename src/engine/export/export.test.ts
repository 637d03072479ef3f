import { describe, expect, it } from "vitest";
import { parseModule } from "../text/parser.ts";
import { toDot } from "./dot.ts";
import { toJson } from "./json.ts";
import { toMermaid } from "./mermaid.ts";

const { module } = parseModule(`.kernel k(n: R0)
.table JT0 base=-2 default=BB3 { BB1, BB2, BB3, BB1 }
BB0:
    JMX     R0, JT0
BB1:
    OPAQUE.store {}, {R0}, "st \\"x\\" <b>"
    BRA     BB0
BB2:
    ISETP.EQ P0, R0, 1
@P0 BRA     BB2
BB3:
    EXIT
`);
const fn = module.funcs[0]!;

describe("exports", () => {
  it("write DOT", () => {
    expect(toDot(fn)).toMatchInlineSnapshot(`
      "digraph "k" {
        node [shape=box, fontname="monospace"];
        edge [fontname="monospace"];
        b0 [label="BB0:\\l  JMX R0, JT0\\l"];
        b1 [label="BB1:\\l  OPAQUE.store {}, {R0}, \\"st \\\\\\"x\\\\\\" <b>\\"\\l  BRA BB0\\l"];
        b2 [label="BB2:\\l  ISETP.EQ P0, R0, 1\\l  @P0 BRA BB2\\l"];
        b3 [label="BB3:\\l  EXIT\\l"];
        b0 -> b1 [label="-2, 1"];
        b0 -> b2 [label="-1"];
        b0 -> b3 [label="default"];
        b1 -> b0 [style=dashed, constraint=false];
        b2 -> b2 [label="T", style=dashed, constraint=false];
        b2 -> b3 [label="F"];
      }
      "
    `);
  });
  it("write Mermaid without markup in the texts", () => {
    expect(toMermaid(fn)).toMatchInlineSnapshot(`
      "flowchart TD
        b0["BB0:<br/>JMX R0, JT0"]
        b1["BB1:<br/>OPAQUE.store #123;#125;, #123;R0#125;, #34;st #92;#34;x#92;#34; #60;b#62;#34;<br/>BRA BB0"]
        b2["BB2:<br/>ISETP.EQ P0, R0, 1<br/>#64;P0 BRA BB2"]
        b3["BB3:<br/>EXIT"]
        b0 -->|"-2, 1"| b1
        b0 -->|"-1"| b2
        b0 -->|"default"| b3
        b1 -.-> b0
        b2 -.->|"T"| b2
        b2 -->|"F"| b3
      "
    `);
  });
  it("write JSON by label", () => {
    const plain = JSON.parse(toJson(fn));
    expect(plain.tables).toEqual([{ name: "JT0", base: -2, default: "BB3", entries: ["BB1", "BB2", "BB3", "BB1"] }]);
    expect(plain.edges[0]).toEqual({ from: "BB0", to: "BB1", label: "-2, 1", retreating: false });
    expect(plain.blocks.map((b: { idom: string }) => b.idom)).toEqual([null, "BB0", "BB0", "BB0"]);
  });
});
