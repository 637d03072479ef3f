/** What the pane of futures shows, a component a section. */

import type { Section } from "../futures-view.ts";
import { Compare } from "./compare.tsx";
import { Conditions } from "./conditions.tsx";
import { Fuel } from "./fuel.tsx";
import { Order } from "./order.tsx";
import { Tree } from "./tree.tsx";

export function Sections({ section }: { readonly section: Section }) {
  switch (section) {
    case "tree":
      return <Tree />;
    case "compare":
      return <Compare />;
    case "fuel":
      return <Fuel />;
    case "conditions":
      return <Conditions />;
    case "order":
      return <Order />;
  }
}
