export interface BoardWindow {
  readonly offset: number;
  readonly limit?: number;
}

/** Centres on `place` (0-based, below `total`) and moves inwards at the ends. An even limit shows one more below. */
export function windowAround(
  position: number,
  { total, limit }: { total: number; limit: number },
): Required<BoardWindow> {
  const centred = position - Math.floor((limit - 1) / 2);
  const last = Math.max(0, total - limit);
  return { offset: Math.min(Math.max(0, centred), last), limit };
}
