/** A jump table as a user's pass sees it: live, like blocks and instructions. */

import { PassError } from "../../../../engine/api/own/pass-error.ts";
import { getBlock, tableName } from "../../../../engine/ir/visit.ts";
import type { JumpTable } from "./api.ts";
import type { BlockView, InstView, Views } from "./views.ts";

export class TableView implements JumpTable {
  readonly name: string;
  readonly #views: Views;

  constructor(views: Views, name: string) {
    this.#views = views;
    this.name = name;
  }

  get #now() {
    const found = this.#views.actions.func.tables.get(this.name);
    if (found === undefined) throw new PassError(`The table ${this.name} was removed.`);
    return found;
  }

  get exists(): boolean {
    return this.#views.actions.func.tables.has(this.name);
  }

  get base(): number {
    return this.#now.base;
  }

  get entries(): readonly BlockView[] {
    return this.#views.list(this.#now.entries);
  }

  get default(): BlockView | null {
    const found = this.#now.default;
    return found === null ? null : this.#views.block(found);
  }

  get users(): readonly InstView[] {
    const { func } = this.#views.actions;
    return func.layout.flatMap((id) =>
      getBlock(func, id)
        .insts.filter((inst) => tableName(inst) === this.name)
        .map((inst) => this.#views.inst(inst)),
    );
  }

  toString(): string {
    return this.name;
  }
}
