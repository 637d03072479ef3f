/** `npm run figures`: prints the figures of the structure, what a test holds them to, and what is to be reached. */
import { GOALS, LIMITS, measure } from "./lib/figure-limits.mjs";

const figures = measure();
const names = /** @type {(keyof typeof GOALS)[]} */ (Object.keys(GOALS));
console.log(`${"figure".padEnd(20)} ${"value".padStart(8)}  ${"held to".padEnd(16)} to reach`);
for (const name of names) {
  console.log(`${name.padEnd(20)} ${String(figures[name]).padStart(8)}  ${LIMITS[name].join(" to ").padEnd(16)} ${GOALS[name]}`);
}
console.log(`\nlargest circle:\n  ${figures.circle.join("\n  ")}`);
