/** Saving and choosing files without a server. */

/** Offers a text as a file. */
export function download(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Lets the person choose one file; null when they don't. */
export function chooseFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.hidden = true;
    const answer = (file: File | null) => {
      input.remove();
      resolve(file);
    };
    input.addEventListener("change", () => answer(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => answer(null));
    // In the document: an input that only its own listeners know may be collected before it answers.
    document.body.append(input);
    input.click();
  });
}

/** A name that every file system takes. */
export function safeName(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^-+|(?<!-)-+$/g, "")
      .slice(0, 60) || "oriscope"
  );
}
