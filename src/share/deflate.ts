/** Raw deflate by the platform's own streams, with a cap on what comes out. */

/** The two streams, as far as they are used: browsers and Node have them, their type libraries differ. */
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
    // The caller says so.
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
  const whole = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
