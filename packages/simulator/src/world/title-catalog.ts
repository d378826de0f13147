import { formatDate, SLOT_SECONDS } from '@lobbystats/contracts';
import { awkwardTitles, inventedFullTitle, inventedName } from './title-names.ts';
import { distribute } from './board-sizes.ts';
import { fraction, mix, pick, pickIndex } from './hash.ts';
import {
  TEMPORARY_SEATS,
  lifetimeByResidue,
  activeLifetimes,
  seasonName,
  seasonNumber,
  type TitleLifetime,
} from './temporary-titles.ts';
import { PUBLISHERS, TEST_TITLE_PUBLISHER, titleCode, type Title } from './title.ts';

const MIN_TITLES_WITH_TEMPORARY = 12;

const TITLE_NUMBERS = 65_536;
const CAPACITIES = [2, 4, 4, 8, 8, 8, 16, 16, 24, 32] as const;

export interface SeatedTitle {
  seat: number;
  title: Title;
  launchedAt: number;
}

export interface TitleCatalog {
  seatCount: number;
  eventfulSeats: ReadonlySet<number>;
  titlesAt(slotIndex: number): readonly SeatedTitle[];
  knownTitle(titleId: string, slotIndex: number): Title | undefined;
}

export function createTitleCatalog(seed: number, titles: number, boards: number): TitleCatalog {
  const passingSeats = titles >= MIN_TITLES_WITH_TEMPORARY ? TEMPORARY_SEATS : 0;
  const lastingSeats = titles - passingSeats;
  const boardCounts = distribute(boards, titles, mix(seed, 11));
  const boardsBefore = runningSums(boardCounts);
  const lasting = permanentTitles(seed, lastingSeats, boardCounts);
  const lastingById = new Map(lasting.map((title, seat) => [title.titleId, seat]));
  const seasonalSeat = lastingSeats - 1;
  let latest: { key: string; titles: readonly SeatedTitle[] } = { key: '', titles: [] };

  return {
    seatCount: titles,
    eventfulSeats: new Set([seasonalSeat, ...Array.from({ length: passingSeats }, (_, index) => lastingSeats + index)]),
    titlesAt(slotIndex) {
      const season = seasonNumber(seed, slotIndex);
      const lives = passingSeats === 0 ? [] : activeLifetimes(seed, slotIndex);
      const key = [season, ...lives.map((life) => life.number)].join(' ');
      if (latest.key !== key) latest = { key, titles: seated(season, lives) };
      return latest.titles;
    },
    knownTitle(titleId, slotIndex) {
      const seat = lastingById.get(titleId);
      if (seat !== undefined) return lastingTitle(seat, seasonNumber(seed, slotIndex));
      if (passingSeats === 0 || !titleId.startsWith(titleCode(TEST_TITLE_PUBLISHER.letters, 0).titleId.slice(0, 4))) {
        return undefined;
      }
      const residue = Number.parseInt(titleId.slice(4), 16);
      const life = lifetimeByResidue(seed, slotIndex, residue, TITLE_NUMBERS);
      return life && passingTitle(life);
    },
  };

  function seated(season: number, lives: readonly TitleLifetime[]): readonly SeatedTitle[] {
    const always = lasting.map((_, seat) => ({ seat, title: lastingTitle(seat, season), launchedAt: -Infinity }));
    const passing = lives.map((life) => ({
      seat: lastingSeats + life.seat,
      title: passingTitle(life),
      launchedAt: life.fromInclusive,
    }));
    return [...always, ...passing].sort((one, other) => (one.title.titleId < other.title.titleId ? -1 : 1));
  }

  function lastingTitle(seat: number, season: number): Title {
    const title = lasting[seat];
    if (title === undefined) throw new RangeError(`no title in seat ${seat}`);
    if (seat !== seasonalSeat) return title;
    const name = `${title.name}: Season of ${seasonName(season)}`;
    return { ...title, name, fullTitle: name };
  }

  function passingTitle(life: TitleLifetime): Title {
    const code = titleCode(TEST_TITLE_PUBLISHER.letters, life.number % TITLE_NUMBERS);
    const name = `${inventedName(mix(seed, 12), life.number)} (Public Test)`;
    return {
      ...code,
      name,
      fullTitle: name,
      publisher: TEST_TITLE_PUBLISHER.name,
      releaseDate: formatDate(life.fromInclusive * SLOT_SECONDS),
      capacity: 8,
      showsCapacity: true,
      boardCount: boardCounts[lastingSeats + life.seat] ?? 0,
      firstBoardId: 1,
      boardsBefore: boardsBefore[lastingSeats + life.seat] ?? 0,
    };
  }
}

function permanentTitles(seed: number, count: number, boardCounts: readonly number[]): readonly Title[] {
  const codes = Array.from({ length: count }, (_, seat) => {
    const number = 1 + Math.floor(seat / PUBLISHERS.length) * 3 + pickIndex(mix(mix(seed, 13), seat), 3);
    return { publisher: publisherOf(seat), ...titleCode(publisherOf(seat).letters, number) };
  });
  const boardsBefore = runningSums(boardCounts);
  const awkward = awkwardTitles(codes[0]?.titleId ?? '').slice(0, Math.max(0, count - 1));
  return codes.map(({ publisher, titleId, productCode }, seat) => {
    const hash = mix(mix(seed, 14), seat);
    const name = awkward[seat]?.name ?? inventedName(mix(seed, 15), seat);
    const invented = {
      titleId,
      productCode,
      name,
      fullTitle: inventedFullTitle(name, mix(hash, 1)),
      publisher: fraction(mix(hash, 2)) < 0.04 ? null : publisher.name,
      releaseDate: fraction(mix(hash, 3)) < 0.06 ? null : releaseDay(mix(hash, 4)),
      capacity: pick(mix(hash, 5), CAPACITIES),
      showsCapacity: fraction(mix(hash, 6)) >= 0.15,
      boardCount: boardCounts[seat] ?? 0,
      firstBoardId: 1 + pickIndex(mix(hash, 7), 40),
      boardsBefore: boardsBefore[seat] ?? 0,
    };
    return { ...invented, ...awkward[seat] };
  });
}

function runningSums(counts: readonly number[]): readonly number[] {
  let sum = 0;
  return counts.map((count) => (sum += count) - count);
}

function publisherOf(seat: number): { letters: string; name: string } {
  return PUBLISHERS[seat % PUBLISHERS.length] ?? TEST_TITLE_PUBLISHER;
}

function releaseDay(hash: number): string {
  const year = 2001 + pickIndex(mix(hash, 1), 9);
  const month = 1 + pickIndex(mix(hash, 2), 12);
  const day = 1 + pickIndex(mix(hash, 3), 28);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
