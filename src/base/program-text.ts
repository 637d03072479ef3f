/** The text of an Ori program while it is written: what all generators of programs write with. */

/** A line whose text may still change; an empty one is omitted. */
export interface Line {
  text: string;
}

export class ProgramText {
  readonly lines: Line[] = [];
  private readonly tables: string[] = [];
  private readonly counts = new Map<string, number>();

  /** A name that was not there yet: `R0`, `R1`, … for `R`. */
  name(prefix: string): string {
    const n = this.counts.get(prefix) ?? 0;
    this.counts.set(prefix, n + 1);
    return `${prefix}${n}`;
  }

  label(): string {
    return this.name("BB");
  }

  table(entries: readonly string[], fallback: string): string {
    const name = this.name("JT");
    this.tables.push(`.table ${name} base=0 default=${fallback} { ${entries.join(", ")} }`);
    return name;
  }

  /** Starts the next block in layout order. */
  start(label: string): void {
    this.lines.push({ text: `${label}:` });
  }

  emit(text: string, guard: string | null = null): Line {
    const line = { text: guard === null ? `    ${text}` : `@${guard} ${text}` };
    this.lines.push(line);
    return line;
  }

  branch(target: string, guard: string | null = null): void {
    this.emit(`BRA ${target}`, guard);
  }

  /** The whole of it below its header. */
  text(header: string): string {
    const lines = this.lines.map((line) => line.text).filter((text) => text !== "");
    return `${[header, ...this.tables, ...lines].join("\n")}\n`;
  }
}
