/** Ori's language services: hover, definition, rename, folding, completion, format, built on the text and on what the engine answered. */

import type { OpcodeRow } from "../../../engine/api/types.ts";
import { FLAG_BITS } from "../../names/record-fields.ts";
import type { MomentState } from "../../session/moment.ts";
import { selectOwnMoment } from "../../session/provenance.ts";
import type { Session } from "../../session/session.ts";
import { shownLine } from "../../session/source-lines.ts";
import { inlineCode, plainText } from "../markdown.ts";
import { findLabel, foldRanges, kernelRange, labelOf, mnemonicOf, namesIn, occurrences, REGISTER, wordAt } from "../ori-text.ts";
import { type editor, languages, Range } from "./api.ts";

const MAX_LISTED = 8;

/** Registers all services for Ori; they read the session at the time of each question. Returns a function that removes them. */
export function registerServices(session: Session): () => void {
  const ori = knowledgeOf(session);
  const registered = [
    languages.registerHoverProvider("ori", hover(session, ori)),
    languages.registerDefinitionProvider("ori", definition(ori)),
    languages.registerRenameProvider("ori", rename(ori)),
    languages.registerFoldingRangeProvider("ori", folding),
    languages.registerCompletionItemProvider("ori", completion(session, ori)),
    languages.registerDocumentFormattingEditProvider("ori", formatting(session)),
    languages.registerDocumentSymbolProvider("ori", symbols),
  ];
  return () => {
    for (const r of registered) r.dispose();
  };
}

/** The engine's description of opcodes. */
interface Knowledge {
  opcode(name: string): OpcodeRow | null;
  shapeOf(name: string): string | null;
}

function knowledgeOf({ store }: Session): Knowledge {
  const opcode = (name: string): OpcodeRow | null => store.getState().engine.opcodes.find((o) => o.name === name) ?? null;
  return { opcode, shapeOf: (name) => opcode(name)?.shape ?? null };
}

const linesOf = (model: editor.ITextModel): string[] => model.getLinesContent();

const hover = (session: Session, ori: Knowledge): languages.HoverProvider => ({
  provideHover(model, { lineNumber, column }) {
    const content = model.getLineContent(lineNumber);
    const at = wordAt(content, column);
    if (at === null) return null;
    const lines = linesOf(model);
    const mnemonic = mnemonicOf(content);
    const text =
      mnemonic !== null && at.start >= mnemonic.start && at.end <= mnemonic.end
        ? aboutOpcode(ori.opcode(mnemonic.op))
        : REGISTER.test(at.word)
          ? aboutRegister(at.word, lines, lineNumber, ori)
          : aboutLabel(at.word, lines, lineNumber, selectOwnMoment(session.store.getState()));
    return text === null ? null : { contents: [{ value: text }], range: new Range(lineNumber, at.start + 1, lineNumber, at.end + 1) };
  },
});

function aboutOpcode(row: OpcodeRow | null): string | null {
  if (row === null) return null;
  const numbers = row.numbers.length > 0 ? `\n\nnumbers in the reference: ${row.numbers.join(", ")}` : "";
  const mods = row.mods === "" ? "" : `\n\nmodifiers: ${inlineCode(row.mods)}`;
  return `**${row.name}** · ${row.family} · ${row.effect}\n\n${row.doc}\n\noperands: ${inlineCode(row.shape || "none")}${mods}${numbers}`;
}

function aboutRegister(name: string, lines: string[], line: number, { shapeOf }: Knowledge): string {
  const all = occurrences(lines, kernelRange(lines, line), name, shapeOf);
  const list = (definition: boolean): string => {
    const found = all.filter((o) => o.definition === definition);
    const shown = found.slice(0, MAX_LISTED).map((o) => `line ${o.line}: ${inlineCode(shownLine(lines[o.line - 1] ?? ""))}`);
    const more = found.length > MAX_LISTED ? [`and ${found.length - MAX_LISTED} more`] : [];
    return found.length === 0 ? "none" : ["", ...shown, ...more].join("\n- ");
  };
  return `**${plainText(name)}**\n\ndefined: ${list(true)}\n\nused: ${list(false)}`;
}

function aboutLabel(name: string, lines: string[], line: number, moment: MomentState | null): string | null {
  if (findLabel(lines, kernelRange(lines, line), name) === null) return null;
  const block = [...(moment?.blocks.values() ?? [])].find((b) => b.label === name);
  if (block === undefined) return `**${plainText(name)}**`;
  const flags = FLAG_BITS.filter((b) => (block.flags & b.mask) !== 0).map((b) => b.name);
  const names = (ids: readonly number[]): string =>
    ids.map((id) => plainText(moment?.blocks.get(id)?.label ?? `#${id}`)).join(", ") || "none";
  return `**${plainText(name)}** at the current step\n\nrpo ${block.rpo} · flags ${flags.join(", ") || "none"}\n\npredecessors: ${names(block.preds)}\n\nsuccessors: ${names(block.succs)}`;
}

const definition = ({ shapeOf }: Knowledge): languages.DefinitionProvider => ({
  provideDefinition(model, { lineNumber, column }) {
    const lines = linesOf(model);
    const at = wordAt(model.getLineContent(lineNumber), column);
    if (at === null) return null;
    const range = kernelRange(lines, lineNumber);
    if (REGISTER.test(at.word)) {
      return occurrences(lines, range, at.word, shapeOf)
        .filter((o) => o.definition)
        .map((o) => ({ uri: model.uri, range: new Range(o.line, o.column, o.line, o.endColumn) }));
    }
    const line = findLabel(lines, range, at.word);
    return line === null ? null : { uri: model.uri, range: new Range(line, 1, line, 1) };
  },
});

const rename = ({ shapeOf }: Knowledge): languages.RenameProvider => ({
  provideRenameEdits(model, { lineNumber, column }, newName) {
    const lines = linesOf(model);
    const at = wordAt(model.getLineContent(lineNumber), column);
    if (at === null) return { edits: [], rejectReason: "There is no name to rename here." };
    const range = kernelRange(lines, lineNumber);
    const isRegister = REGISTER.test(at.word);
    const family = (name: string) => name.replace(/(?<!\d)\d+$/, "");
    if (isRegister && (!REGISTER.test(newName) || family(newName) !== family(at.word))) {
      return { edits: [], rejectReason: `A register of class ${family(at.word)} needs a name such as ${family(at.word)}12.` };
    }
    if (!isRegister && !/^[A-Za-z_$.][\w$.]*$/.test(newName)) return { edits: [], rejectReason: "This is not a label." };
    if (occurrences(lines, range, newName, shapeOf).length > 0) return { edits: [], rejectReason: `${newName} is already in use.` };
    const edits = occurrences(lines, range, at.word, shapeOf).map((o) => ({
      resource: model.uri,
      versionId: model.getVersionId(),
      textEdit: { range: new Range(o.line, o.column, o.line, o.endColumn), text: newName },
    }));
    return { edits };
  },
});

const folding: languages.FoldingRangeProvider = {
  provideFoldingRanges: (model) => foldRanges(linesOf(model)).map(([start, end]) => ({ start, end })),
};

const completion = ({ store }: Session, { opcode }: Knowledge): languages.CompletionItemProvider => ({
  triggerCharacters: ["."],
  provideCompletionItems(model, { lineNumber, column }) {
    const content = model.getLineContent(lineNumber);
    const before = content.slice(0, column - 1);
    const word = /(?<![\w$.])[A-Za-z_$.@!][\w$.]*$/.exec(before)?.[0] ?? "";
    const range = new Range(lineNumber, column - word.length, lineNumber, column);
    const kind = languages.CompletionItemKind;
    const item = (label: string, itemKind: languages.CompletionItemKind, detail: string, insertText = label): languages.CompletionItem => ({
      label,
      kind: itemKind,
      detail,
      insertText,
      range,
    });
    const atMnemonic = /^\s*(?:[A-Za-z_$.][\w$.]*\s*:\s*)?(?:@!?U?P[\dT]+\s+)?[A-Za-z.]*$/.test(before);
    const { opcodes } = store.getState().engine;
    if (atMnemonic) {
      const base = word.split(".")[0] ?? "";
      const row = word.includes(".") ? opcode(base) : null;
      if (row !== null) {
        const stem = word.slice(0, word.lastIndexOf(".") + 1);
        const mods = row.mods.split(" ").flatMap((group) => group.slice(0, -1).split("|"));
        return { suggestions: mods.filter((m) => m !== "").map((m) => item(`${stem}${m}`, kind.Property, row.doc)) };
      }
      const directives = [".kernel", ".func", ".target", ".table", ".weight"].map((d) => item(d, kind.Keyword, "directive"));
      return { suggestions: [...opcodes.map((o) => item(o.name, kind.Function, o.doc)), ...directives] };
    }
    const names = namesIn(linesOf(model), kernelRange(linesOf(model), lineNumber));
    return {
      suggestions: [
        ...names.registers.map((r) => item(r, kind.Variable, "register")),
        ...names.labels.map((l) => item(l, kind.Reference, "block")),
        ...names.specials.map((s) => item(s, kind.Constant, "special register")),
        item("RZ", kind.Constant, "zero"),
        item("PT", kind.Constant, "true"),
        ...(/^\s*\.kernel\s/.test(before) ? [item(".reqntid", kind.Keyword, "threads of a block: X, Y, Z")] : []),
      ],
    };
  },
});

const formatting = (session: Session): languages.DocumentFormattingEditProvider => ({
  async provideDocumentFormattingEdits(model) {
    const text = model.getValue();
    const { revision, format } = session.store.getState().document;
    // Requested again: the current answer may belong to an older text.
    const open = await session.api.open(revision, text, format);
    if (!open.ok || open.format !== "ori" || model.getValue() !== text) {
      session.actions.notify("info", "The text can be formatted once it has no errors.");
      return [];
    }
    return [{ range: model.getFullModelRange(), text: open.ori }];
  },
});

const symbols: languages.DocumentSymbolProvider = {
  provideDocumentSymbols(model) {
    return linesOf(model).flatMap((text, index): languages.DocumentSymbol[] => {
      const label = labelOf(text);
      if (label === null) return [];
      const range = new Range(index + 1, 1, index + 1, text.length + 1);
      return [{ name: label, detail: "", kind: languages.SymbolKind.Method, tags: [], range, selectionRange: range }];
    });
  },
};
