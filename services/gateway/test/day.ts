import { activityCounts, formatDate, formatInstant, formatTimestamp, slotOf } from '@lobbystats/contracts';
import { network, NEWEST, title, type Network } from './network.ts';

const SLOTS = 288;

interface DayOptions {
  /** Indexes of the missing snapshots. */
  readonly missing?: number[];
  readonly missingLobbies?: number[];
  /** Epoch seconds. */
  readonly newest?: number;
}

/** {@link day} up to the current slot, for pages in a browser, which has a clock of its own. */
export function today(options: DayOptions = {}): Network {
  return day({ newest: slotOf(Date.now() / 1000), ...options });
}

/** The data of one day. Users online are 1,000 plus the index of the snapshot. */
export function day({ missing = [], missingLobbies = missing, newest = NEWEST }: DayOptions = {}): Network {
  const slots = Array.from({ length: SLOTS }, (_, index) => ({ index, at: newest - (SLOTS - 1 - index) * 300 }));
  const at = (index: number) => formatTimestamp(newest - (SLOTS - 1 - index) * 300);
  return network({
    newest,
    titles: [
      title('00000001', 'Harbor Racing', { publisher: 'Northlight' }),
      title('00000002', 'Chess', { publisher: 'Old House' }),
      title('00000003', 'Ärger', { publisher: 'Northlight' }),
      title('00000004', '1942'),
    ],
    activity: {
      slot: formatInstant(newest),
      titles: [
        activity('00000001', 1300, ['Ember Fox', 'Grey Owl']),
        activity('00000003', 41, ['Lone Elk']),
        activity('00000004', 0, []),
      ],
    },
    online: slots
      .filter(({ index }) => !missing.includes(index))
      .map(({ index }) => ({ recorded_at: at(index), online_count: 1000 + index })),
    lobbies: slots
      .filter(({ index }) => !missingLobbies.includes(index))
      .map(({ index }) => ({ recorded_at: at(index), lobby_count: index % 7 })),
    registered: [
      { date: formatDate(newest - 86_400), registered_count: 48_200 },
      { date: formatDate(newest), registered_count: 48_211 },
    ],
    summary: {
      peakOnline: 1287,
      peakOnlineAt: at(287),
      peakLobbies: 6,
      peakLobbiesAt: at(6),
      mostPlayedGame: { name: 'Harbor Racing', titleId: '00000001', peak: 1300 },
      gamesWithActivityCount: 3,
      totalSnapshotCount: SLOTS,
    },
  });
}

/** A title's activity, with 3 players in each lobby. */
export function activity(titleId: string, online: number, lobbyHostNames: string[]) {
  const lobbies = lobbyHostNames.length;
  return {
    ...activityCounts(() => 0),
    titleId,
    online,
    activeLobbies: lobbies,
    hasActiveSession: lobbies > 0,
    sessionCount: lobbies,
    activeLobbyPlayers: 3 * lobbies,
    lobbyHostNames,
  };
}

/** A UTC day of the network. */
export function siteDay(date: string, mean: number, peak: number, matches: number) {
  const lobbies = { average_lobbies: 3.5, peak_lobbies: 7, peak_lobbies_at: `${date} 21:00:00` };
  return { date, average_online: mean, peak_online: peak, peak_online_at: `${date} 20:00:00`, ...lobbies, matches };
}

/** A UTC day of a title. */
export function titleDay(date: string, average_online: number, peak_online: number) {
  return { date, average_online, peak_online, lobby_count: 1, peak_players: 1, unique_hosts: 1 };
}
