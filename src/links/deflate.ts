/** Raw deflate by the platform's own streams, with a cap on what comes out. A link is a stranger's data: unpacking ends at the cap, not after it. */

/** The used part of the two streams: browsers and Node have them, their type libraries differ. */
interface ByteTransform {
  readonly readable: ByteSource;
  readonly writable: ByteSink;
}
interface ByteSource {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}
interface ByteSink {
  getWriter(): { write(bytes: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> };
}
type TransformConstructor = new (format: "deflate-raw") => ByteTransform;

interface Streams {
  readonly CompressionStream?: TransformConstructor;
  readonly DecompressionStream?: TransformConstructor;
}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { CompressionStream } = globalThis as unknown as Streams;
  if (CompressionStream === undefined) throw new Error("this browser cannot compress");
  const out = await pump(new CompressionStream("deflate-raw"), bytes, Number.POSITIVE_INFINITY);
  return out ?? new Uint8Array(0);
}

/** "large": the bytes inflate to more than `limit`; reading stops there. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array<ArrayBuffer> | "damaged" | "large"> {
  const { DecompressionStream } = globalThis as unknown as Streams;
  if (DecompressionStream === undefined) throw new Error("this browser cannot decompress");
  try {
    return (await pump(new DecompressionStream("deflate-raw"), bytes, limit)) ?? "large";
  } catch {
    // The caller reports it.
    return "damaged";
  }
}

/** null: more than `limit` bytes came out. */
async function pump(transform: ByteTransform, bytes: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const writer = transform.writable.getWriter();
  const reader = transform.readable.getReader();
  // Not awaited: the writer waits for the reader. Its failure shows as the reader's.
  const writing = writer.write(bytes).then(() => writer.close());
  writing.catch(() => {});
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value === undefined) continue;
    total += value.length;
    if (total > limit) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  await writing;
  return joined(chunks, total);
}

/** Bytes given at once if the output must be read before the next ones may fail. */
const PIECE = 512;
/** If nothing has arrived for this long, nothing follows; the stream never reports its end, because it is never closed. */
const SILENCE_MS = 8;

/** The inflated bytes up to where the input is cut or damaged, and at most this many. */
export async function inflateStart(bytes: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { DecompressionStream } = globalThis as unknown as Streams;
  if (DecompressionStream === undefined) return new Uint8Array(0);
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  const reader = readable.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  let ended = false;
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      chunks.push(value);
      total += value.length;
      if (total > limit) return;
    }
  })()
    // Where it fails is where the data are damaged.
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  try {
    for (let at = 0; at < bytes.length && !ended; at += PIECE) await Promise.race([writer.write(bytes.slice(at, at + PIECE)), reading]);
    for (let before = -1; before !== total && !ended; ) {
      before = total;
      await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, SILENCE_MS))]);
    }
  } catch {
    // As above.
  }
  await reader.cancel().catch(() => undefined);
  return joined(chunks, total).slice(0, limit);
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
