/** Where a record came from: the file as the user named it, and its first line, counted from 1 (`null`: no lines). */
export interface Place {
  readonly file: string;
  readonly line: number | null;
}

/** A record that could not be read: a value in the stream beside the good ones, never an exception. */
export interface Problem {
  readonly kind: 'problem';
  readonly place: Place;
  /** What is wrong, in one clause. */
  readonly reason: string;
  /** What the user can do about it. */
  readonly hint: string;
  /** The raw text of the bad record where there is one, for quarantine. */
  readonly raw: string | null;
  /** The source is in order and holds no record at all: one fault where it was named, a file to list in a folder. */
  readonly isEmptySource?: true;
}

/** Doubt about a figure: not an error, but a reader of the figure must see it. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** `runs.jsonl:12`, or the file alone where lines do not apply. */
export function formatPlace(place: Place): string {
  return place.line === null ? place.file : `${place.file}:${place.line}`;
}
