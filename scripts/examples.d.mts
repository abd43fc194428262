export function exampleCommands(
  root: string,
): readonly { readonly argv: readonly string[]; readonly stdout?: string }[];
export const EXAMPLE_FILES: readonly string[];
export const EXAMPLE_PAGE: string;
