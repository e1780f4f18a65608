/** The visible cells of a long grid. Pure; all lengths in pixels. */

export interface Viewport {
  /** Of the scrolled element. */
  width: number;
  height: number;
  scrollTop: number;
  count: number;
}

/** A cell is at least `least` wide, and `below` taller than wide; `gap` is between cells. */
export interface Cells {
  least: number;
  below: number;
  gap: number;
  /** Extra rows on either side. */
  spare: number;
}

export interface Seen {
  columns: number;
  /** Of a cell. */
  width: number;
  /** Of a row with its gap. */
  pitch: number;
  /** First cell, and the one after the last. */
  from: number;
  to: number;
  /** Offset of the first cell, and the total height. */
  top: number;
  total: number;
}

export function seen({ width, height, scrollTop, count }: Viewport, { least, below, gap, spare }: Cells): Seen {
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const cell = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const pitch = cell + below + gap;
  const rows = Math.ceil(count / columns);
  const first = clamp(Math.floor(scrollTop / pitch) - spare, 0, Math.max(0, rows - 1));
  const last = clamp(Math.ceil((scrollTop + height) / pitch) + spare, first, rows);
  return {
    columns,
    width: cell,
    pitch,
    from: first * columns,
    to: Math.min(count, last * columns),
    top: first * pitch,
    total: rows === 0 ? 0 : rows * pitch - gap,
  };
}

/** Scroll position that shows cell `index` completely; unchanged if it does already. */
export function scrolledTo(index: number, { columns, pitch }: Seen, { scrollTop, height }: Viewport): number {
  const top = Math.floor(index / columns) * pitch;
  if (top < scrollTop) return top;
  return top + pitch > scrollTop + height ? Math.max(0, top + pitch - height) : scrollTop;
}

/** The cell that a key leads to from `index`; null if the key does nothing. */
export function stepped(key: string, index: number, count: number, { columns, pitch }: Seen, height: number): number | null {
  const page = Math.max(1, Math.floor(height / pitch)) * columns;
  const by: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -page,
    PageDown: page,
    Home: -Infinity,
    End: Infinity,
  };
  if (by[key] === undefined || count === 0) return null;
  return clamp(index + by[key], 0, count - 1);
}

const clamp = (n: number, least: number, most: number) => Math.max(least, Math.min(most, n));
