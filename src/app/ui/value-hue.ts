/** The colour of a value number: the same wherever it is drawn, light enough for dark text on it in either theme. */

/** Neighbouring numbers are far apart on the wheel (golden angle). */
export function valueHue(number: number): string {
  return `hsl(${((((number * 137.508) % 360) + 360) % 360).toFixed(1)} 65% 72%)`;
}
