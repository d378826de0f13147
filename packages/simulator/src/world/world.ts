import { SLOT_SECONDS } from '@lobbystats/contracts';
import { boardNames, type BoardName } from './board-names.ts';
import { createBoardPasses, type BoardPasses } from './board-passes.ts';
import { createBoards } from './boards.ts';
import { hashText, mix, pickIndex, smoothNoise } from './hash.ts';
import { createMatchSchedule, type Match } from './match-schedule.ts';
import { announcedEvents, type NetworkEvent } from './network-events.ts';
import {
  idleUsers,
  usersInMenus,
  latestOutage,
  popularity,
  registeredUsers,
  rhythm,
  REGION_COUNT,
  type Outage,
} from './activity.ts';
import { createUsers, type Users } from './users.ts';
import type { SlotOccupancy } from './play-period.ts';
import { createTitleCatalog, type SeatedTitle } from './title-catalog.ts';
import type { Title } from './title.ts';
import { worldOptionsSchema, type WorldOptions } from '../simulator-options.ts';

const SWELL_SLOTS = 4 * 288;
const SWELL_MIN = 0.5;
const SWELL_MAX = 1.5;

const LAUNCH_BOOST = 2.5;
const LAUNCH_DECAY_SLOTS = 6 * 288;

const USERS_PER_MATCH = 8;

export interface TitleObservation {
  titleId: string;
  online: number;
  sessions: number;
  players: number;
  matches: readonly Match[];
}

export interface SlotObservation {
  slot: number;
  registered: number;
  online: number;
  titles: readonly TitleObservation[];
}

/** Stateless: each result derives from the options and the slot, at the cost of that slot. */
export interface World extends BoardPasses, Users {
  observe(slot: number): SlotObservation;
  observeTitle(slot: number, titleId: string): TitleObservation | undefined;
  registeredAt(slot: number): number;
  titlesAt(slot: number): readonly Title[];
  titleAt(slot: number, titleId: string): Title | undefined;
  knownTitle(slot: number, titleId: string): Title | undefined;
  boardsOf(title: Title): readonly BoardName[];
  eventsAt(slot: number): readonly NetworkEvent[];
}

export function createWorld(options: WorldOptions = {}): World {
  const { seed: seedOption, titles, openMatches, skew, ...rest } = worldOptionsSchema.parse(options);
  const { boards: boardCount, players } = rest;
  const seed = hashText(String(seedOption));
  const catalog = createTitleCatalog(mix(seed, 1), titles, boardCount);
  const shares = popularity(mix(seed, 2), catalog.seatCount, skew, catalog.eventfulSeats);
  const matchSchedule = createMatchSchedule(mix(seed, 3), shares, openMatches, players, busyness);
  const boards = createBoards({ ...rest, seed: mix(seed, 9), players: matchSchedule.players });
  const expected = shares.map((share) => share * openMatches * USERS_PER_MATCH);
  const users = createUsers({ seed: mix(seed, 11), players: matchSchedule.players, expected, occupancyAt });

  return {
    observe,
    observeTitle(slot, titleId) {
      const seated = seatedAt(slot, titleId);
      return seated && observeSeat(seated, indexOf(slot), outageAt(indexOf(slot)));
    },
    registeredAt: (slot) => registeredUsers(mix(seed, 4), players, indexOf(slot)),
    titlesAt: (slot) => catalog.titlesAt(indexOf(slot)).map((seated) => seated.title),
    titleAt: (slot, titleId) => seatedAt(slot, titleId)?.title,
    knownTitle: (slot, titleId) => catalog.knownTitle(titleId, indexOf(slot)),
    boardsOf: boardNames,
    eventsAt: (slot) => announcedEvents(mix(seed, 10), catalog, slot),
    ...createBoardPasses(catalog, boards),
    ...users,
  };

  function observe(slot: number): SlotObservation {
    const index = indexOf(slot);
    const outage = outageAt(index);
    const observed = catalog.titlesAt(index).map((seated) => observeSeat(seated, index, outage));
    const inTitles = sumOf(observed.map(({ online }) => online));
    return {
      slot,
      registered: registeredUsers(mix(seed, 4), players, index),
      online: inTitles + idleUsers(mix(seed, 5), index, inTitles),
      titles: observed,
    };
  }

  function observeSeat(seated: SeatedTitle, index: number, outage: Outage): TitleObservation {
    const matches = matchSchedule.matchesOf(seated, index, outage);
    const inMatches = sumOf(matches.map((match) => match.players));
    return {
      titleId: seated.title.titleId,
      online: inMatches + inMenus(seated, index, outage),
      sessions: matches.length,
      players: inMatches,
      matches,
    };
  }

  function occupancyAt(index: number): SlotOccupancy {
    const outage = outageAt(index);
    const seated = catalog.titlesAt(index);
    const titleHosts = seated.map((one) => matchSchedule.hostsOf(one, index, outage));
    const online = seated.map(
      (one, titleIndex) => (titleHosts[titleIndex]?.players ?? 0) + inMenus(one, index, outage),
    );
    const idle = idleUsers(mix(seed, 5), index, sumOf(online));
    return { seated, online, hosts: titleHosts.map(({ hosts }) => hosts), idle };
  }

  function inMenus(seated: SeatedTitle, index: number, outage: Outage): number {
    const usual = (shares[seated.seat] ?? 0) * openMatches * busyness(seated, index);
    return usersInMenus(mix(mix(seed, 6), seated.seat), index, usual, index < outage.endExclusive);
  }

  function busyness(seated: SeatedTitle, index: number): number {
    const seatSeed = mix(mix(seed, 7), seated.seat);
    const swell = SWELL_MIN + (SWELL_MAX - SWELL_MIN) * smoothNoise(seatSeed, index, SWELL_SLOTS);
    const launchBoost =
      seated.launchedAt === -Infinity
        ? 1
        : 1 + LAUNCH_BOOST * Math.exp((seated.launchedAt - index) / LAUNCH_DECAY_SLOTS);
    return rhythm(pickIndex(mix(seatSeed, 1), REGION_COUNT), index) * swell * launchBoost;
  }

  function seatedAt(slot: number, titleId: string): SeatedTitle | undefined {
    return catalog.titlesAt(indexOf(slot)).find((seated) => seated.title.titleId === titleId);
  }

  function outageAt(index: number): Outage {
    return latestOutage(mix(seed, 8), index);
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function indexOf(slot: number): number {
  return Math.floor(slot / SLOT_SECONDS);
}
