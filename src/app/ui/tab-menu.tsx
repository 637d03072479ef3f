/** The button that opens the list of all tabs; the list is loaded when it is first wanted. */

import { lazy, Suspense, useState } from "react";
import { IconButton } from "./button.tsx";
import type { TabMenuProps } from "./tab-list.tsx";

const Loaded = lazy(async () => ({ default: (await import("./tab-list.tsx")).TabList }));

export function TabMenu(props: TabMenuProps) {
  const { label, count } = props;
  const [asked, setAsked] = useState(false);
  const plain = (
    <IconButton
      icon="chevronDown"
      label={count === 0 ? label : `${label}: ${count} more`}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setAsked(true)}
    />
  );
  if (!asked) return plain;
  return (
    <Suspense fallback={plain}>
      <Loaded {...props} />
    </Suspense>
  );
}
