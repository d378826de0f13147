import { DAY_SECONDS, formatTimestamp, nameKey, operations, type Change } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import type { FoundPlayer } from '../../parts/find-player.ts';
import { section, UNAVAILABLE } from '../../parts/part.ts';
import { recordList, recordsOf, recordsOperations } from '../../parts/records.ts';
import { formatCount, name } from '../../parts/text.ts';
import { namesOf } from './totals.ts';
import type { Pair } from './versus.ts';

const { listPlayerChanges } = operations;

/** Operations that {@link recordsSection} asks. */
export const recentRecordsOperations = [listPlayerChanges, ...recordsOperations] as const;

const DAYS = 90;
/** The number of changes that are read of each player. */
const READ = 100;
const SHOWN = 8;

/** The records that both have set lately: those that they took from each other first. */
export async function recordsSection(players: Pair<FoundPlayer>, data: PageData): Promise<Html> {
  // Whole hours: the same request in all views of an hour.
  const since = formatTimestamp(data.now - (data.now % 3600) - DAYS * DAY_SECONDS);
  const pages = await Promise.all(
    players.map(({ playerName: player }) =>
      data.find(listPlayerChanges, { player }, { records: 'only', since, limit: READ }),
    ),
  );
  const changes = pages.flatMap((page) => page?.changes ?? []).sort((a, b) => b.id - a.id);
  const records = await recordsOf(changes, data);
  const keys = players.map(({ playerName }) => nameKey(playerName));
  const isBetween = ({ id, playerName }: Change) => {
    const beaten = nameKey(records.get(id)?.playerName ?? '');
    return beaten !== nameKey(playerName) && keys.includes(beaten);
  };
  const between = changes.filter(isBetween);
  const shown = [...between, ...changes.filter((change) => !isBetween(change))].slice(0, SHOWN);
  const names = namesOf(players);
  const takenBy = (index: 0 | 1) => between.filter(({ playerName }) => nameKey(playerName) === keys[index]).length;
  return section(
    'recent-records',
    'Records',
    html`${pages.includes(undefined) && UNAVAILABLE}
    ${
      between.length > 0 &&
      html`<p>
        ${name(names[0])} has taken ${formatCount(takenBy(0))} from ${name(names[1])}, and ${name(names[1])}
        ${formatCount(takenBy(1))} from ${name(names[0])}.
      </p>`
    }
    ${recordList(shown, records, data.titles, `Neither has set a record in the last ${DAYS} days`)}`,
    `of the last ${DAYS} days`,
  );
}
