/** The part of the WebAssembly interface that the scanner needs: the types of Node do not hold it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...args: number[]) => number>>);
    readonly exports: Record<string, unknown>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Global {
    readonly value: number;
  }
}
