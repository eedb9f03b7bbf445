// What a column of a list or a fact of an item shows. Data, so that a list is declared and not drawn.
import type { Tone } from '../lib/format';

export type Cell =
  | string
  | number
  | null
  | undefined
  | { status: string; tone?: Tone }
  | { time: string | null | undefined }
  | { text: string; href?: string; mono?: boolean; title?: string; copy?: boolean };

export interface Column<R> {
  id: string;
  label: string;
  cell: (row: R) => Cell;
  /** A track of the grid, such as 120px or minmax(160px, 2fr). */
  width?: string;
  /** Not shown until the person chooses it. */
  optional?: boolean;
  /** Also shown where there is room for few columns. */
  narrow?: boolean;
  number?: boolean;
}

export interface Fact {
  label: string;
  cell: Cell;
}

/** One line of a timeline. */
export interface Moment {
  id: string;
  at: string;
  what: string;
  detail?: string | null;
  by?: string | null;
  bad?: boolean;
}

/** One bar of a waterfall: made, begun, ended. */
export interface Bar {
  id: string;
  label: string;
  status: string;
  from: string;
  start: string | null;
  end: string | null;
}
