/** A game of the simulated network, as it stands in one slot. */
export interface Title {
  /** 8 lower-case hexadecimal digits: two letters of the publisher's code, then a number. */
  titleId: string;
  /** The same as people write it: `MS-100` for `4d530064`. */
  productCode: string;
  /** The name in the homepage's table. */
  name: string;
  /** The name on the game's own page: often the same, sometimes with an edition. */
  fullTitle: string;
  /** `null` where the network does not say. */
  publisher: string | null;
  /** `YYYY-MM-DD`; `null` where the network does not say. */
  releaseDate: string | null;
  /** How many players fit into one match. */
  capacity: number;
  /** Whether the game page says the capacity (`3/8`) or the players alone (`3`). */
  showsCapacity: boolean;
  /** How many leaderboards it has. */
  boardCount: number;
  /** The first of its boards' numbers; the others follow. */
  firstBoardId: number;
  /** How many leaderboards the titles before it have: with them all boards of the network are numbered through. */
  boardsBefore: number;
}

/** What is made of two letters and a number. */
export interface TitleCode {
  titleId: string;
  productCode: string;
}

/** The title ID and product code of a publisher's `number`-th game; `letters` are two ASCII letters. */
export function titleCode(letters: string, number: number): TitleCode {
  const high = letters.charCodeAt(0) * 256 + letters.charCodeAt(1);
  return {
    titleId: (high * 65_536 + number).toString(16).padStart(8, '0'),
    productCode: `${letters}-${String(number).padStart(3, '0')}`,
  };
}
