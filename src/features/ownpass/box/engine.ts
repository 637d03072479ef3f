/**
 * One JavaScript engine in WebAssembly, and its memory. Code inside has no host object and no name for anything outside; a meter that the
 * build adds to the module (scripts/generate/meter-wasm.mjs) counts its steps and its depth.
 */

import type { JSContextPointer, JSRuntimePointer, JSValueConstPointer, JSValuePointer } from "@jitl/quickjs-ffi-types";
import start from "@jitl/quickjs-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-wasmfile-release-sync/ffi";
import { ENGINE } from "./engine.generated.ts";
import { MOST_STEPS } from "./limits.ts";

/** An exception from inside, as text. */
export class ThrownInside extends Error {}

/** The meter ended the run: the engine is unusable until its memory is restored. */
export class MeterEnded extends Error {
  readonly why: "steps" | "depth";

  constructor(why: "steps" | "depth") {
    super(why);
    this.why = why;
  }
}

interface Cell {
  value: number;
}
interface Memory {
  readonly buffer: ArrayBuffer;
}
/** Declared here because no type library that Node and a worker share has it. */
declare const WebAssembly: {
  readonly Global: new (descriptor: object) => Cell;
  readonly Memory: new (descriptor: { readonly initial: number; readonly maximum: number }) => Memory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly RuntimeError: new () => Error;
  compile(bytes: ArrayBuffer): Promise<object>;
};

interface Meter {
  readonly fuel: Cell;
  readonly depth: Cell;
  /** The module's globals: with its memory, all of its mutable state. */
  readonly state: readonly Cell[];
}

/** The complete state of an engine. */
export interface Picture {
  /** The pages with contents; the others are zeros. */
  readonly pages: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly state: readonly number[];
}

/** Pages of 64 KiB, as the engine's module requires. */
const FIRST_PAGES = 256;
const MOST_PAGES = 32_768;
/** Bytes of a page of a picture. */
const PAGE = 16_384;
const ZEROS = new Int32Array(PAGE / Int32Array.BYTES_PER_ELEMENT);
const SCRIPT = 0;
const FEW_STEPS = 100_000;

let compiled: Promise<object> | null = null;

async function compile(): Promise<object> {
  const packed = Uint8Array.from(atob(ENGINE), (char) => char.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/** The module is compiled once. */
export async function openEngine(memoryLimit: number): Promise<Engine> {
  compiled ??= compile();
  const module = await compiled;
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  let meter: Meter | null = null;
  const glue = await start({
    wasmMemory: memory as never,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      meter = meterOf(instance.exports);
      done(instance as never);
      return instance.exports as never;
    },
  });
  if (meter === null) throw new Error("The engine has no meter.");
  return new Engine(glue, memory, meter, memoryLimit);
}

function meterOf(exports: Readonly<Record<string, unknown>>): Meter | null {
  const { fuel, depth } = exports;
  const state = Object.entries(exports).flatMap(([name, value]) =>
    /^state\d+$/.test(name) && value instanceof WebAssembly.Global ? [value] : [],
  );
  return fuel instanceof WebAssembly.Global && depth instanceof WebAssembly.Global ? { fuel, depth, state } : null;
}

type Glue = Awaited<ReturnType<typeof start>>;

export class Engine {
  /** Steps that the last run took. */
  spent = 0;
  private readonly glue: Glue;
  private readonly ffi: QuickJSFFI;
  private readonly memory: Memory;
  private readonly meter: Meter;
  private readonly context: JSContextPointer;

  constructor(glue: Glue, memory: Memory, meter: Meter, memoryLimit: number) {
    this.glue = glue;
    this.memory = memory;
    this.meter = meter;
    this.ffi = new QuickJSFFI(glue);
    const runtime: JSRuntimePointer = this.ffi.QTS_NewRuntime();
    this.ffi.QTS_RuntimeSetMemoryLimit(runtime, memoryLimit);
    this.context = this.ffi.QTS_NewContext(runtime, 0 as never);
  }

  /** Runs `work` with this many steps to spend. */
  within<T>(steps: number, work: () => T): T {
    const { fuel, depth } = this.meter;
    fuel.value = steps;
    depth.value = 0;
    try {
      return work();
    } catch (error) {
      if (error instanceof ThrownInside) throw error;
      if (fuel.value < 0) throw new MeterEnded("steps");
      // The host's own stack may end before the meter's does.
      if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) throw new MeterEnded("depth");
      throw error;
    } finally {
      this.spent = steps - fuel.value;
      fuel.value = MOST_STEPS;
    }
  }

  evaluate(script: string, name: string): JSValuePointer {
    const [at, length] = this.put(script);
    return this.resolved(this.ffi.QTS_Eval(this.context, at as never, length, name, SCRIPT as never, SCRIPT as never));
  }

  /** Calls a function inside with a text. The answer is a text of at most `most` bytes, or null if it is longer. */
  call(callee: JSValuePointer | JSValueConstPointer, text: string, most: number): string | null {
    const { ffi, context, glue } = this;
    const argument = ffi.QTS_NewString(context, this.put(text)[0] as never);
    const list = glue._malloc(Uint32Array.BYTES_PER_ELEMENT);
    new Uint32Array(this.memory.buffer, list, 1)[0] = argument;
    const answer = this.resolved(ffi.QTS_Call(context, callee, ffi.QTS_GetUndefined(), 1, list as never));
    const at = ffi.QTS_GetString(context, answer);
    const length = new Uint8Array(this.memory.buffer).subarray(at, at + most + 1).indexOf(0);
    return length < 0 ? null : glue.UTF8ToString(at, length);
  }

  /** The numeric result of a function inside after the meter ended a run, in any state; 0 if there is none. The memory must be restored next. */
  numberAfter({ state }: Picture, callee: JSValuePointer | JSValueConstPointer): number {
    const { ffi, context, meter, spent } = this;
    for (const [i, cell] of meter.state.entries()) cell.value = state[i] ?? 0;
    try {
      return this.within(FEW_STEPS, () =>
        ffi.QTS_GetFloat64(context, this.resolved(ffi.QTS_Call(context, callee, ffi.QTS_GetUndefined(), 0, 0 as never))),
      );
    } catch {
      return 0;
    } finally {
      this.spent = spent;
    }
  }

  /** The current state, for `putBack`; pages equal to those of `after` are shared with it. */
  picture(after?: Picture): Picture {
    const { buffer } = this.memory;
    const known = new Map(after?.pages.map((page) => [page.at, page]));
    const pages: Picture["pages"][number][] = [];
    for (let at = 0; at < buffer.byteLength; at += PAGE) {
      const words = new Int32Array(buffer, at, PAGE / Int32Array.BYTES_PER_ELEMENT);
      const former = known.get(at);
      const before = former === undefined ? ZEROS : new Int32Array(former.bytes.buffer);
      let same = 0;
      while (same < words.length && words[same] === before[same]) same++;
      if (same < words.length) pages.push({ at, bytes: new Uint8Array(buffer.slice(at, at + PAGE)) });
      else if (former !== undefined) pages.push(former);
    }
    return { pages, state: this.meter.state.map((global) => global.value) };
  }

  /** Restores a picture; `wipe`: also clears the memory that is free in the picture. */
  putBack({ pages, state }: Picture, wipe: boolean): void {
    const now = new Uint8Array(this.memory.buffer);
    if (wipe) now.fill(0);
    for (const { at, bytes } of pages) now.set(bytes, at);
    for (const [i, global] of this.meter.state.entries()) global.value = state[i] ?? 0;
  }

  private put(text: string): readonly [at: number, length: number] {
    const { glue } = this;
    const length = glue.lengthBytesUTF8(text);
    const at = glue._malloc(length + 1);
    if (at === 0) throw new ThrownInside("out of memory");
    glue.stringToUTF8(text, at as never, length + 1);
    return [at, length];
  }

  private resolved(value: JSValuePointer): JSValuePointer {
    const thrown = this.ffi.QTS_ResolveException(this.context, value);
    if (thrown === 0) return value;
    throw new ThrownInside(this.glue.UTF8ToString(this.ffi.QTS_Dump(this.context, thrown), 2000));
  }
}
