import { StreamFault } from './fault.js';

/** Decompresses zstd bytes as they come. */
export async function* unzstd(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('./zstd-package.js');
  let ready: Uint8Array[] = [];
  const decompress = new Decompress((chunk) => void ready.push(chunk));
  const flush = (): Uint8Array[] => {
    const chunks = ready;
    ready = [];
    return chunks;
  };
  const feed = (chunk: Uint8Array, isLast: boolean): void => {
    try {
      decompress.push(chunk, isLast);
    } catch (error) {
      throw new StreamFault(
        `the zstd data is damaged or cut short (${(error as Error).message})`,
        'copy the file again, whole',
      );
    }
  };
  for await (const chunk of bytes) {
    feed(chunk, false);
    yield* flush();
  }
  feed(new Uint8Array(0), true);
  yield* flush();
}
