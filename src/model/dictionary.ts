/** Texts as numbers: each distinct text is held once. */
export interface Dictionary {
  /** The text's number, a new one for a new text. */
  codeOf(text: string): number;
  /** The text's number, `null` for one that was never met. */
  findCode(text: string): number | null;
  textOf(code: number): string;
  /** All texts, in the order of their numbers. */
  readonly texts: readonly string[];
}

export function createDictionary(): Dictionary {
  const codes = new Map<string, number>();
  const texts: string[] = [];
  return {
    codeOf(text) {
      const known = codes.get(text);
      if (known !== undefined) return known;
      const code = texts.push(text) - 1;
      codes.set(text, code);
      return code;
    },
    findCode: (text) => codes.get(text) ?? null,
    textOf: (code) => texts[code] as string,
    texts,
  };
}
