/** Seeded control-flow graphs for tests and benchmarks: structured programs, and the shapes that break layout engines. */
import { mulberry32 } from "../../base/prng.ts";
import { defaultCardMetrics, measureCard } from "../measure.ts";
import type { EdgeKind, GraphEdge, GraphInput, GraphNode } from "../types.ts";

/** Numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  const next = mulberry32(seed);
  return () => next() / 2 ** 32;
}

const lines = ["IADD R1, R2, R3", "ISETP.GE.AND P0, PT, R4, c[0x0][0x168], PT", "@P0 BRA B12", "LDG.E R6, [R2.64+0x10]", "MOV R5, RZ"];

class Builder {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  block(successors = 2): string {
    const id = `B${this.nodes.length}`;
    const text = Array.from(
      { length: 1 + Math.floor(this.random() ** 2 * 12) },
      () => lines[Math.floor(this.random() * lines.length)] ?? "",
    );
    const size = measureCard({ headerColumns: 12, lines: text, successors }, defaultCardMetrics);
    this.nodes.push({ id, kind: "block", width: size.width, height: size.height });
    return id;
  }

  edge(from: string, to: string, port: number, kind: EdgeKind = port === 0 ? "taken" : "else"): void {
    this.edges.push({ id: `e${this.edges.length}`, from, to, port, kind });
  }

  done(entry = "B0"): GraphInput {
    return { nodes: this.nodes, edges: this.edges, entry };
  }
}

/** Nested ifs, loops with breaks and continues, switches and early exits, of about `blocks` blocks. */
export function structuredCfg(seed: number, blocks: number): GraphInput {
  const random = seededRandom(seed);
  const b = new Builder(random);
  const exit = { id: "" };
  const pending: { from: string; port: number }[] = [];
  interface Loop {
    readonly header: string;
    readonly breaks: { from: string; port: number }[];
  }
  /** Open ends to be joined at the next block. */
  type Ends = { from: string; port: number }[];
  const join = (ends: Ends, to: string): void => {
    for (const end of ends) b.edge(end.from, to, end.port);
  };
  const statement = (open: Ends, size: number, depth: number, loop: Loop | null): Ends => {
    const kind = random();
    const at = b.block();
    join(open, at);
    if (size <= 2 || depth > 7) return [{ from: at, port: 0 }];
    const inner = Math.max(1, Math.floor(size / 2));
    if (kind < 0.3) {
      const then = sequence([{ from: at, port: 0 }], inner, depth + 1, loop);
      return [...then, { from: at, port: 1 }];
    }
    if (kind < 0.5) {
      const then = sequence([{ from: at, port: 0 }], inner, depth + 1, loop);
      return [...then, ...sequence([{ from: at, port: 1 }], inner, depth + 1, loop)];
    }
    if (kind < 0.65) {
      const own: Loop = { header: at, breaks: [] };
      const bodyFirst = random() < 0.5;
      const end = sequence([{ from: at, port: bodyFirst ? 0 : 1 }], size - 1, depth + 1, own);
      join(end, at);
      return [{ from: at, port: bodyFirst ? 1 : 0 }, ...own.breaks];
    }
    if (kind < 0.78) {
      const own: Loop = { header: at, breaks: [] };
      const end = sequence([{ from: at, port: 0 }], size - 2, depth + 1, own);
      const latch = b.block();
      join(end, latch);
      b.edge(latch, at, 0);
      return [{ from: latch, port: 1 }, ...own.breaks];
    }
    if (kind < 0.84 && size > 6) {
      const cases = 3 + Math.floor(random() * 5);
      const ends: Ends = [];
      for (let c = 0; c < cases; c++)
        ends.push(...sequence([{ from: at, port: c }], Math.max(1, Math.floor(size / cases)), depth + 2, loop));
      return ends;
    }
    if (kind < 0.9 && loop !== null) {
      if (random() < 0.5) loop.breaks.push({ from: at, port: 0 });
      else b.edge(at, loop.header, 0);
      return [{ from: at, port: 1 }];
    }
    if (kind < 0.93) {
      pending.push({ from: at, port: 0 });
      return [{ from: at, port: 1 }];
    }
    return [{ from: at, port: 0 }];
  };
  const sequence = (open: Ends, size: number, depth: number, loop: Loop | null): Ends => {
    let ends = open;
    const stop = b.nodes.length + size;
    while (b.nodes.length < stop) ends = statement(ends, Math.min(stop - b.nodes.length, 4 + Math.floor(random() * 40)), depth, loop);
    return ends;
  };
  const last = sequence([], blocks - 1, 0, null);
  exit.id = b.block();
  join(last, exit.id);
  join(pending, exit.id);
  return b.done();
}

/** A structured graph in which a tenth of the blocks have one more edge to any block, plus some unreachable blocks. */
export function irreducibleCfg(seed: number, blocks: number): GraphInput {
  const base = structuredCfg(seed, blocks);
  const random = seededRandom(seed ^ 0x5bd1e995);
  const b = new Builder(random);
  b.nodes.push(...base.nodes);
  b.edges.push(...base.edges);
  const pick = (): string => b.nodes[Math.floor(random() * b.nodes.length)]?.id ?? "B0";
  for (let i = 0; i < Math.max(1, blocks / 10); i++) b.edge(pick(), pick(), 2 + i, "taken");
  for (let i = 0; i < 1 + blocks / 50; i++) {
    const lost = b.block();
    b.edge(lost, pick(), 0);
    if (random() < 0.3) b.edge(lost, lost, 1);
  }
  return b.done();
}

/** Blocks that all may jump to one exit (or, with `exits` above 1, to one of several in turn). */
export function ladderCfg(seed: number, blocks: number, exits = 1): GraphInput {
  const b = new Builder(seededRandom(seed));
  const rungs = Array.from({ length: blocks }, () => b.block());
  const ends = Array.from({ length: exits }, () => b.block(0));
  rungs.forEach((rung, i) => {
    const next = rungs[i + 1];
    if (next !== undefined) b.edge(rung, next, 0, "fall");
    b.edge(rung, ends[i % exits] ?? "B0", 1);
  });
  return b.done();
}

/** An interpreter: a loop around one switch of `cases` cases. */
export function switchCfg(seed: number, cases: number): GraphInput {
  const b = new Builder(seededRandom(seed));
  const entry = b.block();
  const head = b.block(cases);
  b.edge(entry, head, 0, "fall");
  for (let c = 0; c < cases; c++) {
    const arm = b.block();
    b.edge(head, arm, c, "brx");
    b.edge(arm, head, 0, "jump");
  }
  const exit = b.block(0);
  b.edge(head, exit, cases, "else");
  return b.done();
}

/** Every block jumps to its mirror image in the sequence, which gives the most long nested lines. */
export function nestedCfg(seed: number, blocks: number): GraphInput {
  const b = new Builder(seededRandom(seed));
  const all = Array.from({ length: blocks }, () => b.block());
  all.forEach((id, i) => {
    const next = all[i + 1];
    if (next !== undefined) b.edge(id, next, 0, "fall");
    const mirror = all[blocks - 1 - i];
    if (mirror !== undefined && i % 3 !== 2) b.edge(id, mirror, 1);
  });
  return b.done();
}

/** Arbitrary edges, including self loops and doubled edges. */
export function randomCfg(seed: number, blocks: number, edges: number): GraphInput {
  const random = seededRandom(seed);
  const b = new Builder(random);
  const all = Array.from({ length: blocks }, () => b.block());
  const ports = new Map<string, number>();
  for (let i = 0; i < edges; i++) {
    const from = all[Math.floor(random() * blocks)] ?? "B0";
    const port = ports.get(from) ?? 0;
    ports.set(from, port + 1);
    b.edge(from, all[Math.floor(random() * blocks)] ?? "B0", port);
  }
  return b.done();
}

/** `depth` nested loops, each with an edge to the one common exit. */
export function nestCfg(seed: number, depth: number): GraphInput {
  const b = new Builder(seededRandom(seed));
  const entry = b.block();
  const heads = Array.from({ length: depth }, () => b.block());
  const body = b.block(1);
  const tests = Array.from({ length: depth }, () => b.block());
  const after = b.block(1);
  const exit = b.block(0);
  b.edge(entry, heads[0] ?? body, 0, "fall");
  heads.forEach((head, i) => {
    b.edge(head, exit, 0);
    b.edge(head, heads[i + 1] ?? body, 1, "fall");
  });
  b.edge(body, tests.at(-1) ?? after, 0, "fall");
  for (let i = depth - 1; i >= 0; i--) {
    b.edge(tests[i] ?? body, heads[i] ?? body, 0, "taken");
    b.edge(tests[i] ?? body, tests[i - 1] ?? after, 1, "fall");
  }
  b.edge(after, exit, 0, "fall");
  return b.done();
}

/** A sequence of loops that exit at their header, with an if in each; `around`: in one more loop. */
export function loopChainCfg(seed: number, loops: number, around = false): GraphInput {
  const b = new Builder(seededRandom(seed));
  const first = b.block(1);
  let last = first;
  for (let i = 0; i < loops; i++) {
    const [header, test, onF, onT, latch, exit] = [b.block(), b.block(), b.block(1), b.block(1), b.block(1), b.block(1)];
    b.edge(last, header, 0, "else");
    b.edge(header, exit, 0);
    b.edge(header, test, 1);
    b.edge(test, onT, 0);
    b.edge(test, onF, 1);
    b.edge(onF, latch, 0);
    b.edge(onT, latch, 0, "else");
    b.edge(latch, header, 0);
    last = exit;
  }
  if (around) b.edge(last, first, 0);
  return b.done();
}
