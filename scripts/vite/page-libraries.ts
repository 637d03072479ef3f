/** A plugin: TypeScript's worker carries the declarations of all libraries. A pass has only the language, so those of browsers, which are most of them, are left out. */
import type { Plugin } from "vite";

const LIBRARIES = /monaco-editor[\\/]esm[\\/]vs[\\/]languages[\\/]features[\\/]typescript[\\/]lib[\\/]lib\.js$/;
const WANTED = /^lib\.(?:decorators|decorators\.legacy|es5|es20(?:1\d|2[0-3])(?:\.(?!full)[\w.]+)?)\.d\.ts$/;
const END = "\nexport { libFileMap };";

export function pageLibraries(): Plugin {
  return {
    name: "oriscope:page-libraries",
    transform: {
      filter: { id: LIBRARIES },
      handler(code) {
        const [files = "", ...rest] = code.split(END);
        const parts = files.split(/^(?=libFileMap\[")/m);
        const kept = parts.filter((part) => {
          const name = /^libFileMap\["([^"]+)"\] = /.exec(part)?.[1];
          return name === undefined || WANTED.test(name);
        });
        if (rest.length !== 1 || kept.length < 2 || kept.length === parts.length)
          this.error("TypeScript's libraries are listed otherwise now");
        return { code: `${kept.join("")}${END}`, map: null };
      },
    },
  };
}
