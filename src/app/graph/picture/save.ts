/** Saving the picture: SVG directly, PNG drawn by the browser from it, smaller if the drawing exceeds the size of a canvas. */

import { PICTURE_COLOURS, type PictureColours } from "../../../layout/picture.ts";
import type { Session } from "../../session/session.ts";
import type { SessionState } from "../../session/state.ts";
import { download, safeName } from "../../share/download.ts";
import { messageOf } from "../../ui/failure.ts";
import type { FaceStore } from "../face/face-store.ts";
import type { Drawing } from "../model/drawing.ts";
import { pictureSvg } from "./svg.ts";

/** The size that every browser's canvas accepts. */
const MAX_SIDE = 16_384;
const MAX_AREA = 120_000_000;

export async function savePicture(session: Session, drawing: Drawing, faces: FaceStore, format: "svg" | "png"): Promise<void> {
  const state = session.store.getState();
  const phase = state.run.result?.phases[state.position.run];
  const name = safeName(`${state.run.result?.kernel ?? "graph"}-${phase?.id ?? ""}-${state.position.step + 1}`);
  const svg = pictureOf(state, drawing, faces);
  if (format === "svg") {
    download(`${name}.svg`, svg, "image/svg+xml");
    return;
  }
  try {
    const { width, height } = drawing.layout.bounds;
    const wanted = 2;
    const scale = Math.min(wanted, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)));
    const blob = await rasterize(svg, Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)));
    downloadBlob(`${name}.png`, blob);
    if (scale < 1)
      session.actions.notify(
        "info",
        `The picture is ${width} × ${height}: too large for a PNG at full size. It was saved at ${Math.round(scale * 100)} %; SVG has no such limit.`,
      );
  } catch (error) {
    session.actions.notify("error", `The picture could not be saved: ${messageOf(error)}. Try SVG.`);
  }
}

/** The drawing as an SVG document, in the colours that the page has now. */
export function pictureOf(state: SessionState, drawing: Drawing, faces: FaceStore): string {
  const phase = state.run.result?.phases[state.position.run];
  const title = `${state.run.result?.kernel ?? "graph"}, ${phase?.name ?? ""}, step ${state.position.step + 1}`;
  return pictureSvg({ drawing, node: faces.node, edge: faces.edge, colours: themeColours(), title });
}

/** The current colours of the theme: read where the graph's own are defined. */
function themeColours(): PictureColours {
  const style = getComputedStyle(document.querySelector("[data-graph]") ?? document.documentElement);
  return Object.fromEntries(PICTURE_COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim() || "#000"])) as PictureColours;
}

async function rasterize(svg: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0, width, height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) throw new Error("the canvas is too large");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
