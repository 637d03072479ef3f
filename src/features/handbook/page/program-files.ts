/** The path of a program that shows something, from the folder of the passes. */

export function fileOfProgram(id: string): string {
  const [family = "", folder = "", name] = id.split("/");
  return name === undefined ? `${family}/fixtures/${folder}.ori` : `${family}/${folder}/${name}.ori`;
}
