/** What the page works with: an engine session that can also publish what it ran. */

import { EngineSession } from "../engine/api/session.ts";
import type { PipelineOptions, RunResult } from "../engine/api/types.ts";
import { type Published, type PublishRequest, publish } from "../publish/publish.ts";

export class WorkSession extends EngineSession {
  private result: RunResult | null = null;

  override run(revision: number, kernel: string, options: PipelineOptions): RunResult {
    this.result = super.run(revision, kernel, options);
    return this.result;
  }

  publish(request: PublishRequest): Published | null {
    return this.result === null || this.result.phases.length === 0 ? null : publish(this, this.result, request);
  }
}
