export interface Hosting {
  player: number;
  seat: number;
  from: number;
  to: number;
}

export interface Hostings {
  record(player: number, seat: number, slot: number): void;
  list(): readonly Hosting[];
}

export function createHostings(): Hostings {
  const list: Hosting[] = [];
  const latest = new Map<number, Hosting>();
  return {
    record(player, seat, slot) {
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
