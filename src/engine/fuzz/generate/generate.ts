/** Random programs for testing: always accepted by the verifier, always ending, free of races between threads. */

import { createPrng } from "../../../base/prng.ts";
import type { Module } from "../../ir/types.ts";
import { parseModule } from "../../text/parser.ts";
import { CALLED } from "./beyond.ts";
import { Emitter } from "./emitter.ts";
import { type Frame, OWN_BYTES, OWN_SHARED } from "./frame.ts";
import { writeGraph } from "./irreducible.ts";
import { KIND_CALLEES, writeKind } from "./kinds.ts";
import { withLastRegisters } from "./last-registers.ts";
import { fillMerges } from "./merges.ts";
import { type Features, type Profile, planOf } from "./options.ts";
import { Straight } from "./straight.ts";
import { Structured } from "./structured.ts";

export interface GenerateOptions {
  readonly seed: number;
  readonly profile: Profile;
  /** Number of constructs, about; 12 by default. */
  readonly size?: number;
  readonly features?: Partial<Features>;
  /** Includes the kinds of `kinds.ts`. Default: no, since labs draw none, so that a student's programs are unchanged. */
  readonly kinds?: boolean;
}

/** The program as text. The same options give the same text. */
export function generateText(options: GenerateOptions): string {
  const rng = createPrng(options.seed);
  const base = planOf(options.profile);
  const wanted = { ...base.features, ...options.features };
  // Some phases accept only programs without PHIs.
  const features = { ...wanted, phis: wanted.phis && rng.chance(wanted.apart ? 0.4 : 0.75) };
  const plan = { ...base, features };
  const size = Math.max(1, Math.round((options.size ?? 12) * plan.scale * (0.5 + rng.below(100) / 100)));
  const e = new Emitter(rng);
  const asFunc = rng.chance(0.25);
  const [input, own, sums] = [e.fresh("long"), e.fresh("long"), e.fresh("long")];
  const [n, k, f] = [e.fresh("int"), e.fresh("int"), e.fresh("float")];
  const base64 = e.fresh("long");
  const shared = e.fresh("int");
  const tid = e.fresh("int");
  const frame: Frame = { input, own: base64, sums, shared, thread: tid, size: n };

  e.start(e.label());
  e.emit(`S2R ${tid}, SR_TID.X`);
  e.emit(`IMAD.WIDE ${base64}, ${tid}, ${OWN_BYTES}, ${own}`);
  e.emit(`SHL ${shared}, ${tid}, ${Math.log2(OWN_SHARED)}`);
  for (const r of [n, k, tid]) e.defined("int", r);
  e.defined("float", f);
  pools(e, features, n, f);
  // These parameters may be overwritten.
  for (const r of [n, k]) if (rng.chance(0.2)) e.addToPool("int", r);
  if (features.phis) e.mergeShare = rng.pick([0, 0.1, 0.3]);

  const finish = (): void => epilogue(e, asFunc, base64);
  const straight = new Straight(e, features, frame);
  const kind = options.kinds === true ? (): void => writeKind(e, straight, frame, features) : null;
  if (plan.irreducible) {
    const done = e.label();
    writeGraph(e, straight, Math.max(3, size), done, features.apart);
    e.start(done);
    if (kind !== null) for (let i = 0; i < KINDS_OF_A_GRAPH; i++) kind();
  } else {
    new Structured(e, straight, plan, size, finish, kind).top();
  }
  finish();
  const keyword = asFunc ? ".func" : ".kernel";
  const returns = asFunc ? ` -> ${[...e.pool.int, ...e.pool.pred.slice(0, 1)].join(", ")}` : "";
  const header = `${keyword} fuzz(in: ${input}, own: ${own}, sums: ${sums}, n: ${n}, k: ${k}, f: ${f})${returns}`;
  fillMerges(rng, e.merges, e.text(header));
  const program = rng.chance(0.03) ? withLastRegisters(e.text(header)) : e.text(header);
  const called = program.includes("CALL stash,") ? program + KIND_CALLEES : program;
  return features.beyond ? called + CALLED : called;
}

const KINDS_OF_A_GRAPH = 2;

/** The program as a module: its function first, then those that it calls. */
export function generateModule(options: GenerateOptions): Module {
  const { module, diagnostics } = parseModule(generateText(options));
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) throw new Error(`internal: generated text does not parse, line ${error.line}: ${error.message}`);
  return module;
}

function pools(e: Emitter, features: Features, n: string, f: string): void {
  const { rng } = e;
  for (let i = 0; i < 3 + rng.below(3); i++) {
    const r = e.fresh("int");
    e.emit(`MOV ${r}, ${rng.chance(0.5) ? String(rng.below(100)) : e.read("int")}`);
    e.addToPool("int", r);
  }
  for (let i = 0; i < 2; i++) {
    const p = e.fresh("pred");
    e.emit(`ISETP.${rng.pick(["LT", "EQ", "GT"])} ${p}, ${e.read("int")}, ${rng.chance(0.5) ? n : String(rng.below(20))}`);
    e.addToPool("pred", p);
  }
  if (features.floats) {
    const r = e.fresh("float");
    e.emit(`FADD ${r}, ${f}, 1.0`);
    e.addToPool("float", r);
  }
  if (features.longs) {
    const r = e.fresh("long");
    e.emit(`IMAD.WIDE ${r}, ${n}, 3, RZ`);
    e.addToPool("long", r);
  }
}

/** Makes the pool's values observable: a kernel stores them, a function returns them. */
function epilogue(e: Emitter, asFunc: boolean, own: string): void {
  const last = e.pool.int[e.pool.int.length - 1];
  if (last !== undefined && e.rng.chance(0.7)) {
    // The latest temporaries and one predicate affect the result.
    for (const r of e.readable.int.slice(-4)) if (r !== last) e.emit(`IMAD ${last}, ${last}, 5, ${r}`);
    const p = e.readable.pred[e.readable.pred.length - 1];
    if (p !== undefined) e.emit(`IADD ${last}, ${last}, 1`, p);
  }
  if (asFunc) {
    e.emit("RET");
    return;
  }
  e.pool.int.forEach((r, i) => {
    e.emit(`STG [${own}+${4 * i}], ${r}`);
  });
  const p = e.pool.pred[0];
  if (p !== undefined) {
    const r = e.fresh("int");
    e.emit(`SEL ${r}, 1, 2, ${p}`);
    e.emit(`STG [${own}+${OWN_BYTES - 4}], ${r}`);
  }
  e.emit("EXIT");
}
