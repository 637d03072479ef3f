/** Bundles the command line into dist-cli/oriscope.mjs, the file an installed package runs: no dependencies left. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { playerPlugin } from "./lib/player-plugin.mjs";
import { root } from "./lib/root.mjs";

const input = join(root, "src", "cli", "main.ts");
if (!existsSync(input)) {
  console.error("build-cli: src/cli/main.ts does not exist");
  process.exit(1);
}
const bundler = await rolldown({ input, cwd: root, platform: "node", external: /^node:/, plugins: [playerPlugin()] });
await bundler.write({ file: join(root, "dist-cli", "oriscope.mjs"), format: "esm", sourcemap: false, codeSplitting: false });
await bundler.close();
