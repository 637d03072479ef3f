/** A lab and the page as one package: a SCORM zip for a course system, or a folder for any web host. Works on files in memory. */

import { strFromU8, strToU8, zipSync } from "fflate";

export const EDITIONS = ["1.2", "2004", "none"] as const;
export type PackEdition = (typeof EDITIONS)[number];

export type FileTree = ReadonlyMap<string, Uint8Array>;

export interface PackLab {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly text: string;
}

/** What course systems serve rightly; everything else of the page is left out or becomes a script. */
const SERVED = /\.(?:html|js|css|svg|png)$/;
/** What only hosts of the page need. */
const APART: ReadonlySet<string> = new Set(["sw.js", "embed.js", "social.png"]);
const TEXTS = /\.(?:html|js|css|svg)$/;

/** The files of a package, by their names in it. `page`: the built page. */
export function packFiles(page: FileTree, lab: PackLab, edition: PackEdition, classKey: string): FileTree {
  const kept = [...page.keys()].filter((name) => SERVED.test(name) && !APART.has(name)).sort();
  if (!kept.includes("index.html")) throw new RangeError("the page has no index.html");
  const names = lowered(kept);
  const files = new Map<string, Uint8Array>();
  for (const name of kept) {
    const bytes = page.get(name) ?? new Uint8Array(0);
    const text = TEXTS.test(name) ? renamed(withoutFonts(strFromU8(bytes), name), names) : null;
    const whole = text === null ? bytes : strToU8(name === "index.html" ? withLab(text) : text);
    files.set(names.get(name) ?? name, whole);
  }
  const id = `${identifier(lab.id)}-${lab.version}`;
  const packed = { text: lab.text, classKey, id, scorm: edition };
  // Ends of scripts inside a text would end none here: the file is its own script.
  files.set("lab.js", strToU8(`globalThis.oriscopeLab = Object.freeze(${JSON.stringify(packed)});\n`));
  if (edition !== "none") files.set("imsmanifest.xml", strToU8(manifest(lab, edition, id, [...files.keys()].sort())));
  return files;
}

/** Always the same bytes for the same files. */
export function zipOf(files: FileTree): Uint8Array {
  return zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(1980, 0, 2) });
}

/** Some systems distinguish capitals and some do not: all names are in lower case, and still distinct. */
function lowered(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const dot = name.lastIndexOf(".");
      const [stem, ending] = [name.slice(0, dot).toLowerCase(), name.slice(dot)];
      let free = stem + ending;
      for (let n = 2; taken.has(free); n++) free = `${stem}-${n}${ending}`;
      taken.add(free);
      return [name, free];
    }),
  );
}

/** Files name each other by their last part, which contains a hash and so occurs nowhere by chance. */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  const changed = [...names].filter(([from, to]) => from !== to);
  const byBase = new Map(changed.map(([from, to]) => [baseOf(from), baseOf(to)]));
  return text.replace(/(?<![\w.~-])[\w.~-]+\.(?:html|js|css|svg|png)/g, (word) => byBase.get(word) ?? word);
}

const baseOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

/** Fonts have a type that course systems do not serve; the reader's own are used instead. */
function withoutFonts(text: string, name: string): string {
  if (name.endsWith(".css")) return text.replace(/@font-face\s*\{[^{}]*\}/g, "");
  return name === "index.html" ? text.replace(/<link\b[^<>]*>\n?/g, (tag) => (/rel="manifest"|as="font"/.test(tag) ? "" : tag)) : text;
}

function withLab(html: string): string {
  const at = html.search(/<script\b[^<>]*type="module"/);
  if (at < 0) throw new RangeError("the page starts no script");
  return `${html.slice(0, at)}<script src="./lab.js"></script>\n    ${html.slice(at)}`;
}

const identifier = (text: string): string => `lab-${text.replace(/[^\w-]/g, "_")}`;

const xml = (text: string): string =>
  // Characters that XML 1.0 does not allow are left out.
  [...text]
    .filter((char) => (char.codePointAt(0) ?? 0) >= 0x20)
    .join("")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");

function manifest(lab: PackLab, edition: "1.2" | "2004", id: string, files: readonly string[]): string {
  const title = xml(lab.title);
  const list = files.map((name) => `      <file href="${xml(name)}"/>`).join("\n");
  const v12 = edition === "1.2";
  const spaces = v12
    ? 'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"'
    : [
        'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"',
        'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"',
        'xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3"',
        'xmlns:adlnav="http://www.adlnet.org/xsd/adlnav_v1p3"',
        'xmlns:imsss="http://www.imsglobal.org/xsd/imsss"',
      ].join(" ");
  const sequencing = v12
    ? ""
    : '\n        <imsss:sequencing>\n          <imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>\n        </imsss:sequencing>';
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="${id}" version="1.0" ${spaces}>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${v12 ? "1.2" : "2004 4th Edition"}</schemaversion>
  </metadata>
  <organizations default="${id}-org">
    <organization identifier="${id}-org"${v12 ? "" : ' adlseq:objectivesGlobalToSystem="false"'}>
      <title>${title}</title>
      <item identifier="${id}-item" identifierref="${id}-sco" isvisible="true">
        <title>${title}</title>${sequencing}
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="${id}-sco" type="webcontent" adlcp:${v12 ? "scormtype" : "scormType"}="sco" href="index.html">
${list}
    </resource>
  </resources>
</manifest>
`;
}
