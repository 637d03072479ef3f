/** What the engine is doing, once that takes longer than a second, and a button to end it. */

import { useSession, useSessionObject } from "../session/hooks.ts";
import { Button } from "../ui/button.tsx";
import { Elapsed } from "../ui/elapsed.tsx";
import { Row } from "../ui/layout.tsx";

export function Activity() {
  const session = useSessionObject();
  const slow = useSession((s) => s.engine.slow);
  // The very first start has its own message.
  const starting = useSession((s) => s.engine.status === "starting" && s.engine.generation === 0);
  if (slow === null || starting) return null;
  return (
    <Row gap={2} className="small quiet nowrap num" role="status" data-testid="activity">
      <span>{slow.title}…</span>
      <Elapsed key={slow.since} since={slow.since} />
      <Button
        title="Restart the engine; your text and your place are kept"
        onClick={() => session.restartEngine(`${slow.title} was stopped`)}
      >
        Stop
      </Button>
    </Row>
  );
}
