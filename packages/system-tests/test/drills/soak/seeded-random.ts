/** Numbers from 0 to 1 that follow from a seed: Marsaglia's xorshift32, https://doi.org/10.18637/jss.v008.i14 */
export function seededRandom(seed: number): () => number {
  // Zero would stay zero.
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
