/** Where the view is: computed from the drawing's bounds, because the library measures only what is mounted. */

import type { Window } from "../../layout/choose-columns.ts";
import type { Box } from "../../layout/types.ts";

export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** So small that every graph fits. */
export const MIN_ZOOM = 0.002;
export const MAX_ZOOM = 2;
const MARGIN = 24;
/** Letters of a card are so large in its own size, and no smaller than this when a graph that is not large is first seen. */
const LETTER = { own: 12, least: 10 } as const;
/** A graph of fewer blocks is never shown with smaller letters unless the user requests the whole of it. */
const SMALL = 30;
/** Where the least zoom of a card with instructions is. */
const READABLE = 0.6;
/** Part of the pane beyond which a move keeps no landmark in view. */
const LEAP = 0.75;

/** The whole drawing, enlarged at most by this factor. */
export function fitAll(bounds: Box, pane: Size, most = 1): Viewport {
  const zoom = clampZoom(Math.min((pane.width - 2 * MARGIN) / bounds.width, (pane.height - 2 * MARGIN) / bounds.height, most));
  return {
    x: (pane.width - bounds.width * zoom) / 2 - bounds.x * zoom,
    y: (pane.height - bounds.height * zoom) / 2 - bounds.y * zoom,
    zoom,
  };
}

/** Whether a view is the whole drawing as it was fitted into a pane: not moved since. */
export function isFitted(bounds: Box, view: Viewport, pane: Size, most = 1): boolean {
  const whole = fitAll(bounds, pane, most);
  const near = (a: number, b: number, by: number): boolean => Math.abs(a - b) <= by;
  return near(view.zoom, whole.zoom, whole.zoom / 100) && near(view.x, whole.x, 2) && near(view.y, whole.y, 2);
}

/** The space into which the drawing of this many blocks is fitted. */
export function roomIn(pane: Size, blocks: number): Window {
  const room = { width: pane.width - 2 * MARGIN, height: pane.height - 2 * MARGIN };
  return blocks < SMALL ? { ...room, least: LETTER.least / LETTER.own } : room;
}

/**
 * The first view: everything if it can be read so, else the entry at the top, with letters that can be read. An audience (`most` over 1)
 * reads from farther away: what is too high for that is drawn as wide as there is room.
 */
export function firstView(bounds: Box, entry: Box | null, pane: Size, blocks: number, most = 1): Viewport {
  const whole = fitAll(bounds, pane, most);
  const least = LETTER.least / LETTER.own;
  const [enough, reading] = most > 1 ? [1, 1.4] : [blocks < SMALL ? least : READABLE, least];
  if (whole.zoom >= enough || entry === null) return whole;
  const zoom = Math.max(least, Math.min(reading, (pane.width - 2 * MARGIN) / bounds.width));
  const y = MARGIN - entry.y * zoom;
  return { ...within(bounds, { x: pane.width / 2 - (entry.x + entry.width / 2) * zoom, y, zoom }, pane), y };
}

/** In a pane narrower than this two graphs are read one at a time, unless both can be read in its width. */
export const BESIDE = 640;

/** The first view of two graphs whose letters would be too small: the first difference. Null where both can be read as a whole. */
export function firstViewAt(bounds: Box, part: Box, pane: Size, blocks: number): Viewport | null {
  const whole = fitAll(bounds, pane);
  const least = blocks < SMALL ? LETTER.least / LETTER.own : READABLE;
  const zoom = pane.width >= BESIDE ? least : Math.min(least, (pane.width - 2 * MARGIN) / bounds.width);
  if (whole.zoom >= zoom || zoom < READABLE) return null;
  return centreOn(part, { x: 0, y: 0, zoom }, pane, bounds);
}

/** The view moved so that nothing is cut on one side while the other has free space; a drawing that fits is centred. */
function within(bounds: Box, view: Viewport, pane: Size): Viewport {
  const { zoom } = view;
  const along = (start: number, size: number, offset: number, room: number): number => {
    const [from, spare] = [start * zoom, room - size * zoom];
    // The bounds have room around the cards: so little may be outside.
    if (spare >= -MARGIN) return spare / 2 - from;
    return Math.min(MARGIN - from, Math.max(offset, room - MARGIN - (start + size) * zoom));
  };
  return { x: along(bounds.x, bounds.width, view.x, pane.width), y: along(bounds.y, bounds.height, view.y, pane.height), zoom };
}

/** True if the box, or its upper part if it is taller than the view, is visible. */
export function inSight(box: Box, view: Viewport, pane: Size): boolean {
  const left = box.x * view.zoom + view.x;
  const top = box.y * view.zoom + view.y;
  const right = left + box.width * view.zoom;
  const bottom = top + Math.min(box.height * view.zoom, pane.height / 2);
  const slack = 8;
  return left >= -slack && top >= -slack && right <= pane.width + slack && bottom <= pane.height + slack;
}

/** True if any part of the box is visible. */
export function partlyInSight(box: Box, view: Viewport, pane: Size): boolean {
  const left = box.x * view.zoom + view.x;
  const top = box.y * view.zoom + view.y;
  return left < pane.width && top < pane.height && left + box.width * view.zoom > 0 && top + box.height * view.zoom > 0;
}

/** The box in the middle at the same zoom, or as near to it as the drawing's edges allow; what is too high or too wide shows its top left. */
export function centreOn(box: Box, view: Viewport, pane: Size, bounds: Box): Viewport {
  const { zoom } = view;
  const width = box.width * zoom;
  const height = box.height * zoom;
  const left = width > pane.width - 2 * MARGIN ? MARGIN : (pane.width - width) / 2;
  const top = height > pane.height - 2 * MARGIN ? MARGIN : (pane.height - height) / 2;
  return within(bounds, { x: left - box.x * zoom, y: top - box.y * zoom, zoom }, pane);
}

/** The smallest move that brings the box into sight with some room around it. */
export function nudgeTo(box: Box, view: Viewport, pane: Size): Viewport {
  const { zoom } = view;
  const room = Math.min(64, pane.width / 6, pane.height / 6);
  const along = (start: number, size: number, offset: number, pane: number): number => {
    const from = start * zoom + offset;
    const to = from + size * zoom;
    if (size * zoom > pane - 2 * room) return offset + room - from;
    if (from < room) return offset + room - from;
    if (to > pane - room) return offset + pane - room - to;
    return offset;
  };
  return { x: along(box.x, box.width, view.x, pane.width), y: along(box.y, box.height, view.y, pane.height), zoom };
}

/** The smallest move, or, if that keeps hardly anything visible, the box in the middle. */
export function bringTo(box: Box, view: Viewport, pane: Size, bounds: Box): Viewport {
  const near = nudgeTo(box, view, pane);
  const stays = Math.abs(near.x - view.x) < LEAP * pane.width && Math.abs(near.y - view.y) < LEAP * pane.height;
  return stays ? near : centreOn(box, view, pane, bounds);
}

export function clampZoom(zoom: number): number {
  return Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, zoom));
}

/** Zoomed about the middle of the pane. */
export function zoomBy(factor: number, view: Viewport, pane: Size): Viewport {
  const zoom = clampZoom(view.zoom * factor);
  const scale = zoom / view.zoom;
  return { x: pane.width / 2 - (pane.width / 2 - view.x) * scale, y: pane.height / 2 - (pane.height / 2 - view.y) * scale, zoom };
}
