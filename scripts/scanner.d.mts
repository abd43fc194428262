export const SCANNERS: Readonly<Record<string, string>>;
export function scannerModule(): Promise<string>;
