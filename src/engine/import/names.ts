/** Names of a foreign text made legal and unique for Ori text. */

const REGISTER_LIKE = /^(?:(?:RD|UR|UP|R|P|B)[0-9]+|RZ|URZ|PT|UPT)$/;
const LEGAL = /^[A-Za-z_$.][A-Za-z0-9_$.]*$/;

/** The name with every character Ori text does not take in a label replaced by `_`; never one that reads as a register. */
export function legalName(name: string): string {
  if (LEGAL.test(name)) return REGISTER_LIKE.test(name) ? `L_${name}` : name;
  const cleaned = name.replace(/[^A-Za-z0-9_$.]/g, "_");
  return LEGAL.test(cleaned) ? legalName(cleaned) : `_${cleaned}`;
}

/** Hands out legal names, each once: a repeated one gets `$2`, `$3`, … . Linear over all calls. */
export class NamePool {
  private readonly taken = new Map<string, number>();

  claim(wanted: string): string {
    const base = legalName(wanted);
    let n = this.taken.get(base) ?? 0;
    let name = base;
    while (this.taken.has(name)) {
      n = Math.max(n, 1) + 1;
      name = `${base}$${n}`;
    }
    this.taken.set(base, n);
    if (name !== base) this.taken.set(name, 1);
    return name;
  }
}
