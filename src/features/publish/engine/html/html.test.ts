import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { freshSeed } from "../../../../engine/testing/seed.ts";
import { nodeElk } from "../../../../layout/elk/node.ts";
import { States } from "../../player/states.ts";
import { looksExported } from "../looks-recorded.ts";
import { recordTrace } from "../record-trace.ts";
import { readExported } from "../recorded/exported-file.ts";
import { PhaseStates, type TraceDocument } from "../trace-document.ts";
import type { PlayerData } from "./data.ts";
import { traceHtml } from "./html.ts";
import { playerData } from "./player-data.ts";

const recorded = new Map<string, TraceDocument>();

function record(title: string, most = 20_000): TraceDocument {
  const key = `${title} ${most}`;
  const made = recorded.get(key) ?? recordAnew(title, most);
  recorded.set(key, made);
  return made;
}

function recordAnew(title: string, most: number): TraceDocument {
  const session = new EngineSession();
  const text = readFileSync(new URL("../../../examples/page/ptx/12_state_machine.sm_90.ptx", import.meta.url), "utf8");
  const kernel = session.open(1, text, null).kernels[0]!.name;
  const result = session.run(1, kernel, DEFAULT_PIPELINE);
  const runs = result.phases.filter((p) => p.changed).map((p) => p.run);
  return recordTrace(session, result, { title, runs, mostSteps: most });
}

describe("the exported file", () => {
  // Either for the changes or for all steps, the other one on other commits, and read back the other way round.
  it.each([freshSeed() % 2 === 1])("plays every state of the trace both ways (changes only: %s)", async (changesOnly) => {
    const document = record("machine");
    const data = JSON.parse(JSON.stringify(await playerData(document, nodeElk, changesOnly))) as PlayerData;
    expect(data.phases.length).toBe(document.phases.length);
    let looked = 0;
    for (const [i, phase] of data.phases.entries()) {
      expect(phase.cards.every((card) => card.box !== null)).toBe(true);
      // A third of the phases, another one on every commit.
      if (i % 3 !== freshSeed() % 3) continue;
      const real = new PhaseStates(document.phases[i]!);
      const states = new States(phase);
      const walk = Array.from({ length: phase.steps.length + 1 }, (_, s) => s - 1);
      for (const step of [...walk, ...walk.toReversed()]) {
        states.goTo(step);
        const wanted = real.at(step < 0 ? -1 : phase.steps[step]!.step - 1);
        const shown = new Map<string, string[]>();
        states.now.forEach((version, card) => {
          if (version >= 0)
            shown.set(
              phase.cards[card]!.label,
              phase.versions[version]!.insts.map((n) => data.insts[n]![1]),
            );
        });
        expect(shown).toEqual(new Map([...wanted.blocks.values()].map((b) => [b.label, b.insts.map((inst) => inst.text)])));
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(30);
  });

  it("is small: 200 steps of a phase take at most 300 KB", async () => {
    const { header, phases } = record("machine");
    const longest = phases.reduce((a, b) => (a.steps.length > b.steps.length ? a : b));
    const html = await traceHtml({ header, phases: [{ ...longest, steps: longest.steps.slice(0, 200) }] }, nodeElk);
    expect(longest.steps.length).toBeGreaterThanOrEqual(200);
    expect(html.length).toBeLessThanOrEqual(300_000);
  });

  it("allows its own script and nothing else, and no text gets out of its place", async () => {
    const { header, phases } = record("x", 5);
    const html = await traceHtml({ header: { ...header, title: '</script><script>alert(1)</script><!-- "' }, phases }, nodeElk);
    const scripts = [...html.matchAll(/<script(?: [^>]*)?>([\s\S]*?)<\/script>/g)];
    expect(scripts).toHaveLength(2);
    const hash = createHash("sha256").update(scripts[1]![1]!).digest("base64");
    expect(html).toContain(`script-src 'sha256-${hash}'`);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toContain("alert(1)</script><!--");
    expect((JSON.parse(scripts[0]![1]!) as PlayerData).title).toContain("<script>alert(1)");
  });

  it("says what it leaves out", async () => {
    const document = record("machine", 40);
    expect((await playerData(document, nodeElk, true)).notes.join(" ")).toMatch(/those that change the program.*cut after/);
  });

  it.each([freshSeed() % 2 === 0])("is read back as the trace that it plays (changes only: %s)", async (changesOnly) => {
    const all = record("machine");
    // Few enough steps to be played whole.
    const document = { ...all, phases: all.phases.filter((p) => p.steps.length < 700) };
    expect(document.phases.length).toBeGreaterThan(3);
    expect(document.phases.reduce((n, p) => n + p.steps.length, 0)).toBeLessThan(3000);
    const html = await traceHtml(document, nodeElk, changesOnly);
    expect(looksExported(html)).toBe(true);
    const read = readExported(html);
    if (!read.ok) throw new Error(read.message);
    const [back] = read.documents;
    const { target, level, function: name } = document.header;
    expect(back!.header).toMatchObject({ title: "machine", function: name, target, level });
    expect(back!.phases.map((p) => [p.id, p.name, p.number])).toEqual(document.phases.map((p) => [p.id, p.name, p.number]));
    for (const [i, phase] of document.phases.entries()) {
      const played = phase.steps.map((step, at) => ({ ...step, at })).filter((step) => !changesOnly || step.program);
      const other = back!.phases[i]!;
      expect(other.steps.map((s) => [s.kind, s.sentence, s.line, s.depth])).toEqual(
        played.map((s) => [s.kind, s.sentence, s.line, s.depth]),
      );
      if (!changesOnly) expect(other.steps.map((s) => [s.parent, s.program])).toEqual(phase.steps.map((s) => [s.parent, s.program]));
      const [real, states] = [new PhaseStates(phase), new PhaseStates(other)];
      const shape = (states: PhaseStates, step: number) => {
        const { entry, layout, blocks } = states.at(step);
        return {
          entry,
          blocks: layout.map((id) => {
            const { label, insts, succs, kinds } = blocks.get(id)!;
            return [id, label, insts.map((inst) => [inst.id, inst.text]), succs, kinds];
          }),
        };
      };
      for (const [step, { at }] of [[-1, { at: -1 }] as const, ...played.entries()]) expect(shape(states, step)).toEqual(shape(real, at));
    }
  });

  it("says what is wrong with a damaged one, whatever that is", async () => {
    const html = await traceHtml(record("machine", 30), nodeElk);
    const from = html.indexOf('id="data">');
    fc.assert(
      fc.property(fc.nat(html.length - from), fc.nat(40), fc.string({ maxLength: 8 }), (at, length, put) => {
        const text = html.slice(0, from + at) + put + html.slice(from + at + length);
        if (!looksExported(text)) return;
        const read = readExported(text);
        if (!read.ok) expect(read.message).toMatch(/^The trace in this HTML file/);
      }),
      { seed: freshSeed(), numRuns: 300 },
    );
  });
});
