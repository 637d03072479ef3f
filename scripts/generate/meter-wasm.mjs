/**
 * Puts a meter into a WebAssembly module, so that what it may do is counted and not timed: every turn of a loop, every call and every 64 bytes of a copy take one unit
 * from the exported global `fuel`, and the frame sizes of nested calls add up in `depth`. With `fuel` below 0, or `depth` above `mostDepth`, the module traps. So the same
 * input ends at the same instruction on every machine. The module's own mutable globals are exported as `state0`, `state1` …: they and its memory are its whole state.
 */

const SECTION = { import: 2, function: 3, type: 1, global: 6, export: 7, code: 10 };
const [BLOCK, LOOP, IF, END, BR, BR_IF, BR_TABLE, RETURN, CALL, CALL_INDIRECT] = [
  0x02, 0x03, 0x04, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11,
];
const [UNREACHABLE, LOCAL_GET, LOCAL_TEE, GLOBAL_GET, GLOBAL_SET, I32_CONST] = [0x00, 0x20, 0x22, 0x23, 0x24, 0x41];
const [I32_LT_S, I32_GT_S, I32_ADD, I32_SUB, I32_SHR_U] = [0x48, 0x4a, 0x6a, 0x6b, 0x76];
const [I32, EMPTY] = [0x7f, 0x40];
/** Bytes of a call's frame, and of each of its locals: about what compilers of browsers use at worst. */
const [FRAME, LOCAL] = [96, 8];
/** The initial count of a module, whose start needs some: the maximum of the global. */
const MOST_FUEL = 0x7fff_ffff;
/** Bytes of a copy that cost as much as a turn of a loop, as a power of two. */
const BULK_SHIFT = 6;

class Reader {
  at = 0;
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }
  byte() {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new Error("the module ends early");
    return value;
  }
  /** LEB128; signed numbers are only passed over with it. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  /** @param {number} count */
  take(count) {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}

/** @param {number} value from 0 */
function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** A constant of code is signed: it has a bit more. @param {number} value from 0 */
function sleb(value) {
  const bytes = leb(value);
  const last = bytes.pop() ?? 0;
  return last < 0x40 ? [...bytes, last] : [...bytes, last + 0x80, 0];
}

/** @param {readonly number[]} name */
const vector = (name) => [...leb(name.length), ...name];
/** @param {string} text */
const named = (text) => vector([...Buffer.from(text)]);

/**
 * @param {Uint8Array} wasm
 * @param {{ mostDepth: number }} options
 * @returns {Uint8Array}
 */
export function meterWasm(wasm, { mostDepth }) {
  const reader = new Reader(wasm);
  const header = reader.take(8);
  /** @type {{ id: number, body: Uint8Array }[]} */
  const sections = [];
  while (reader.at < wasm.length) {
    const id = reader.byte();
    sections.push({ id, body: reader.take(reader.number()) });
  }
  /** @param {number} id */
  const section = (id) => new Reader(sections.find((s) => s.id === id)?.body ?? new Uint8Array([0]));
  const types = readTypes(section(SECTION.type));
  if (importsGlobals(section(SECTION.import))) throw new Error("imported globals are not expected");
  const functions = section(SECTION.function);
  const typeOf = Array.from({ length: functions.number() }, () => types[functions.number()]);
  const globals = section(SECTION.global);
  const fuel = globals.number();
  const mutable = mutableGlobals(globals, fuel);
  const depth = fuel + 1;
  /** @param {number} value */
  const cell = (value) => [I32, 1, I32_CONST, ...sleb(value), END];

  /** @type {(Uint8Array | readonly number[])[]} */
  const out = [header];
  for (const { id, body } of sections) {
    /** @type {readonly (Uint8Array | readonly number[])[]} */
    let parts = [body];
    if (id === SECTION.global) parts = [grown(body, 2, [...cell(MOST_FUEL), ...cell(0)])];
    else if (id === SECTION.export) {
      const names = [...mutable.map((at, i) => [`state${i}`, at]), ["fuel", fuel], ["depth", depth]];
      parts = [
        grown(
          body,
          names.length,
          names.flatMap(([name, at]) => [...named(String(name)), 3, ...leb(Number(at))]),
        ),
      ];
    } else if (id === SECTION.code) {
      const code = new Reader(body);
      const count = code.number();
      const bodies = Array.from({ length: count }, (_, i) => {
        const made = meterBody(code.take(code.number()), typeOf[i], { fuel, depth, mostDepth });
        return [...leb(made.length), ...made];
      });
      parts = [leb(count), ...bodies];
    }
    out.push([id, ...leb(parts.reduce((n, part) => n + part.length, 0))], ...parts);
  }
  return Buffer.concat(out.map((part) => Uint8Array.from(part)));
}

/**
 * A vector of a section with more items at its end.
 * @param {Uint8Array} body
 * @param {number} more
 * @param {readonly number[]} items
 */
function grown(body, more, items) {
  const reader = new Reader(body);
  const count = reader.number();
  return [...leb(count + more), ...body.subarray(reader.at), ...items];
}

/**
 * @param {Reader} reader after the count
 * @param {number} count
 */
function mutableGlobals(reader, count) {
  const found = [];
  for (let at = 0; at < count; at++) {
    reader.byte();
    if (reader.byte() === 1) found.push(at);
    const [begin, value, end] = [reader.byte(), reader.number(), reader.byte()];
    if (begin !== I32_CONST || value < 0 || end !== END) throw new Error("a global that begins with a number is expected");
  }
  return found;
}

/** @param {Reader} reader */
function readTypes(reader) {
  return Array.from({ length: reader.number() }, () => {
    if (reader.byte() !== 0x60) throw new Error("only types of functions are expected");
    const params = reader.number();
    reader.take(params);
    const results = [...reader.take(reader.number())];
    if (results.length > 1) throw new Error("one result at most is expected");
    return { params, result: results[0] ?? EMPTY };
  });
}

/** @param {Reader} reader */
function importsGlobals(reader) {
  for (let left = reader.number(); left > 0; left--) {
    reader.take(reader.number());
    reader.take(reader.number());
    const kind = reader.byte();
    if (kind === 3) return true;
    if (kind === 0) reader.number();
    else if (kind === 2) {
      const bounded = reader.byte() & 1;
      reader.number();
      if (bounded === 1) reader.number();
    } else throw new Error(`an import of kind ${kind} is not expected`);
  }
  return false;
}

/**
 * @param {Uint8Array} body
 * @param {{ params: number, result: number } | undefined} type
 * @param {{ fuel: number, depth: number, mostDepth: number }} cells
 * @returns {number[]}
 */
function meterBody(body, type, { fuel, depth, mostDepth }) {
  if (type === undefined) throw new Error("a body without a type");
  const reader = new Reader(body);
  const runs = Array.from({ length: reader.number() }, () => ({ count: reader.number(), type: reader.byte() }));
  const local = type.params + runs.reduce((n, run) => n + run.count, 0);
  /** Takes what `amount` leaves on the stack. @param {readonly number[]} amount */
  const charge = (amount) => [
    ...[GLOBAL_GET, ...leb(fuel), ...amount, I32_SUB, GLOBAL_SET, ...leb(fuel)],
    ...[GLOBAL_GET, ...leb(fuel), I32_CONST, 0, I32_LT_S, IF, EMPTY, UNREACHABLE, END],
  ];
  const one = charge([I32_CONST, 1]);
  const instructions = [...decode(reader)];
  const calls = instructions.some(({ op }) => op === CALL || op === CALL_INDIRECT);
  const frame = sleb(FRAME + LOCAL * local);
  const code = [...one];
  if (calls) {
    code.push(GLOBAL_GET, ...leb(depth), I32_CONST, ...frame, I32_ADD, GLOBAL_SET, ...leb(depth));
    code.push(GLOBAL_GET, ...leb(depth), I32_CONST, ...sleb(mostDepth), I32_GT_S, IF, EMPTY, UNREACHABLE, END);
    // What returns leaves this block.
    code.push(BLOCK, type.result);
  }
  let nesting = 0;
  for (const { op, from, to, bulk } of instructions) {
    if (bulk) code.push(LOCAL_TEE, ...leb(local), ...charge([LOCAL_GET, ...leb(local), I32_CONST, BULK_SHIFT, I32_SHR_U]));
    if (op === RETURN && calls) code.push(BR, ...leb(nesting));
    else for (let at = from; at < to; at++) code.push(body[at] ?? 0);
    if (op === LOOP) code.push(...one);
    if (op === BLOCK || op === LOOP || op === IF) nesting++;
    if (op === END) nesting--;
  }
  if (calls) code.push(GLOBAL_GET, ...leb(depth), I32_CONST, ...frame, I32_SUB, GLOBAL_SET, ...leb(depth), END);
  const locals = [...leb(runs.length + 1), ...runs.flatMap((run) => [...leb(run.count), run.type]), 1, I32];
  return [...locals, ...code];
}

/**
 * The instructions of a body: where each begins and ends.
 * @param {Reader} reader
 * @returns {Generator<{ op: number, from: number, to: number, bulk: boolean }>}
 */
function* decode(reader) {
  while (reader.at < reader.bytes.length) {
    const from = reader.at;
    const op = reader.byte();
    let bulk = false;
    if (op === BLOCK || op === LOOP || op === IF || op === BR || op === BR_IF || op === CALL) reader.number();
    else if (op === BR_TABLE) for (let left = reader.number() + 1; left > 0; left--) reader.number();
    else if (op === CALL_INDIRECT) skip(reader, 2);
    else if (op >= LOCAL_GET && op <= GLOBAL_SET) reader.number();
    else if (op >= 0x28 && op <= 0x3e) skip(reader, 2);
    else if (op === 0x3f || op === 0x40 || op === I32_CONST || op === 0x42) reader.number();
    else if (op === 0x43) reader.take(4);
    else if (op === 0x44) reader.take(8);
    else if (op === 0xfc) {
      const more = reader.number();
      if (more === 10 || more === 11) {
        bulk = true;
        skip(reader, more === 10 ? 2 : 1);
      } else if (more > 7) throw new Error(`the instruction 0xfc ${more} is not expected`);
    } else if (!plain(op)) throw new Error(`the instruction 0x${op.toString(16)} is not expected`);
    yield { op, from, to: reader.at, bulk };
  }
}

/** @param {Reader} reader @param {number} count */
function skip(reader, count) {
  for (let i = 0; i < count; i++) reader.number();
}

/** Without immediates. @param {number} op */
const plain = (op) => op <= 0x01 || op === 0x05 || op === END || op === RETURN || op === 0x1a || op === 0x1b || (op >= 0x45 && op <= 0xc4);
