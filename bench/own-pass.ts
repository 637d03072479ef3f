/**
 * A pass of one's own, from the last key press to the new trace: `node scripts/run-ts.mjs bench/own-pass.ts`. The page's session on the engine and the guest in this
 * process, so without a browser's threads and painting; the quiet time after a key is part of it. Medians of wall and of processor time, with what the pass says as steps
 * and with every line.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateKernel } from "../src/app/examples/generate.ts";
import { ownPass } from "../src/app/ownpass/feature.ts";
import { localPort } from "../src/app/session/engine-port.ts";
import { createSession, type Session } from "../src/app/session/session.ts";
import type { SessionState } from "../src/app/session/state.ts";
import { Box } from "../src/box/box.ts";
import { localEngine } from "../src/worker/local.ts";

const BLOCKS = 100;
const TIMES = Number(process.argv[2] ?? 21);
const root = process.cwd();

function until(session: Session, ready: (s: SessionState) => boolean): Promise<void> {
  const { store } = session;
  return new Promise((resolve) => {
    const look = (): boolean => ready(store.getState());
    if (look()) return resolve();
    const stop = store.subscribe(() => {
      if (!look()) return;
      stop();
      resolve();
    });
  });
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

async function measure(name: string, everyLine: boolean): Promise<void> {
  const source = readFileSync(join(root, "passes", `${name}.ts`), "utf8");
  const box = await Box.open();
  const session = createSession(localPort(localEngine), {
    features: [
      ownPass(async () => ({
        ask: async (request) => box.ask(request),
        stop: () => undefined,
      })),
    ],
  });
  const { actions, store } = session;
  actions.document.openText({ text: generateKernel("k", BLOCKS, 1), title: "k", format: "ori" });
  await until(session, (s) => s.position.moment !== null);
  actions.ownpass.open({ source, title: name });
  actions.ownpass.setEveryLine(everyLine);
  const there = (s: SessionState, text: string): boolean =>
    s.ownpass.ran === text &&
    !s.ownpass.running &&
    !s.run.stale &&
    !s.run.running &&
    s.position.state === "loaded" &&
    s.options.pipeline.own?.source === text &&
    s.position.trace?.pseudocode.length === text.split("\n").length;
  actions.ownpass.run();
  await until(session, (s) => there(s, source));
  const [wall, processor]: [number[], number[]] = [[], []];
  for (let i = 1; i <= TIMES; i++) {
    const text = `${source}${"\n".repeat(i)}`;
    const [since, used] = [performance.now(), process.cpuUsage()];
    actions.ownpass.setSource(text);
    await until(session, (s) => there(s, text));
    wall.push(performance.now() - since);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1000);
  }
  const { position, run } = store.getState();
  const [phase] = run.result?.phases ?? [];
  const what = `${name}${everyLine ? ", every line" : ""}`;
  const size = `${phase?.blocks[0] ?? 0} blocks, ${phase?.rewrites ?? 0} rewrites, ${position.trace?.steps ?? 0} steps`;
  console.log(`${what.padEnd(40)} ${size.padEnd(44)} wall ${median(wall).toFixed(0)} ms, processor ${median(processor).toFixed(0)} ms`);
}

for (const name of ["jump-to-next", "dead-code", "local-value-numbering", "constant-propagation", "licm", "into-ssa", "out-of-ssa"]) {
  await measure(name, false);
  await measure(name, true);
}
