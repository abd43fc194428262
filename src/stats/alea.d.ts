/** The one generator that we use, of which the package's types tell only as a part of the whole. */
declare module 'seedrandom/lib/alea.js' {
  function alea(seed: string): () => number;
  export = alea;
}
