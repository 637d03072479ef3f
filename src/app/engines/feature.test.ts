import { it } from "vitest";
import { EMPTY_LINK } from "../../links/link-data.ts";
import { localPort } from "../session/engine-port.ts";
import { createSession } from "../session/session.ts";
import { openLinkData } from "../share/open-link.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { until } from "../testing/until.ts";
import { ENGINES } from "./feature.ts";

it("a link says when the result is not the one it was made of", async () => {
  const session = createSession(localPort(createFakeEngine), { features: [ENGINES] });
  const source = ".kernel k(n: R0)\nA:\n    MOV R1, 0\n    EXIT\n";
  await openLinkData(session, { ...EMPTY_LINK, source, engine: "0.0.0", digest: "other" }, { origin: "link" });
  await until(session, (s) => s.notices[0]?.text.includes("differs") === true);
  session.dispose();
});
