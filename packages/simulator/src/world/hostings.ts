/** A host's match, from slot to slot, both inclusive. */
export interface Hosting {
  player: number;
  seat: number;
  from: number;
  to: number;
}

/** Finds the matches in what is seen slot by slot. */
export interface Hostings {
  /** Somebody hosts in a slot. Slots come in their order. */
  see(player: number, seat: number, slot: number): void;
  /** The matches so far, by their beginning. */
  list(): readonly Hosting[];
}

/** A finder that has seen nothing yet. */
export function createHostings(): Hostings {
  const list: Hosting[] = [];
  const latest = new Map<number, Hosting>();
  return {
    see(player, seat, slot) {
      const known = latest.get(player);
      if (known?.seat === seat && known.to === slot - 1) {
        known.to = slot;
        return;
      }
      const hosting = { player, seat, from: slot, to: slot };
      latest.set(player, hosting);
      list.push(hosting);
    },
    list: () => list,
  };
}
