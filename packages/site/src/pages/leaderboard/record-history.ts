import {
  isolated,
  parseInstant,
  slotOf,
  type EpochSeconds,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { empty, UNAVAILABLE } from '../../parts/part.ts';
import { plot } from '../../parts/plot.ts';
import { table } from '../../parts/table.ts';
import { day, playerLink, plural, time } from '../../parts/text.ts';
import { distanceOf, scoreOf } from '../../parts/distance.ts';

type Records = OperationResponse<typeof operations.getLeaderboardRecords>;
type LeaderboardRecord = Records['records'][number];

/** A sentence that names the holder of the record, and since when. */
export function recordSentence({ records }: Records): Html {
  const current = records.filter(({ until }) => until === null);
  const [newest, ...others] = current;
  if (newest === undefined) return html`Nobody holds this leaderboard’s record: it has no entries.`;
  if (others.length > 0) {
    const holders = current.map(
      (record, index) => html`${index > 0 && ', '}${playerLink(record.playerName)} (since ${sinceText(record)})`,
    );
    return html`${plural(current.length, 'player')} share this leaderboard’s record of <b>${ratingOf(newest)}</b>:
      ${holders}.`;
  }
  const first = firstOf(newest, records);
  const told = storyOf(newest, records);
  const [rating, since] = [ratingOf(newest), sinceText(newest)];
  const earlier = first !== newest && html`; rank 1 since ${sinceText(first)}`;
  return html`<b>${playerLink(newest.playerName)}</b> holds this leaderboard’s record, <b>${rating}</b>, since
    ${since}${earlier}.${told !== '' && html` They ${told}.`}`;
}

/** `took it from Oak85 by 0.056 s`; nothing of a record whose predecessor is not known. */
function storyOf(record: LeaderboardRecord, records: readonly LeaderboardRecord[]): Html | '' {
  const beaten = records.find(({ until }) => until === record.since);
  if (record.source !== 'change' || beaten === undefined) return '';
  const distance = distanceOf(record, beaten);
  const by = distance === undefined ? '' : ` by ${distance}`;
  return beaten.playerName === record.playerName
    ? html`bettered their own record${by}`
    : html`took it from ${playerLink(beaten.playerName)}${by}`;
}

/** The first of the records that the same player set one after another. */
function firstOf(newest: LeaderboardRecord, records: readonly LeaderboardRecord[]): LeaderboardRecord {
  const before = records.find(({ playerName, until }) => playerName === newest.playerName && until === newest.since);
  return before === undefined ? newest : firstOf(before, records);
}

function sinceText({ since, source }: LeaderboardRecord): Html {
  if (source === 'first') return html`${day(since.slice(0, 10))} or earlier`;
  return source === 'day' ? day(since.slice(0, 10)) : time(since, 'exact');
}

/** @param found null: the leaderboard is not listed any more */
export function recordTable(found: Records | undefined | null, now: EpochSeconds): Html {
  if (found === undefined) return UNAVAILABLE;
  if (found === null) return empty('This leaderboard is not listed any more');
  const { records, total } = found;
  if (records.length === 0) return empty('No record yet');
  const shown = records.length < total ? `The newest ${records.length} of ${total} records. ` : '';
  return html`${recordPlot(records, now)}
    ${table<LeaderboardRecord>({
      caption: 'Records of this leaderboard, newest first',
      empty: '',
      ...{ id: 'record', rows: records, key: ({ playerName, since }) => `${since} ${playerName}` },
      columns: [
        {
          heading: 'Player',
          isHead: true,
          cell: (record) => {
            const told = storyOf(record, records);
            return html`${playerLink(record.playerName)} ${told !== '' && html`<p class="hint">${told}</p>`}`;
          },
        },
        { heading: 'Record', isNumber: true, cell: ratingOf },
        { heading: 'Since', cell: sinceText },
        { heading: 'Until', isMinor: true, cell: ({ until }) => (until === null ? 'now' : time(until, 'exact')) },
      ],
    })}
    <p class="hint">
      ${shown}Known from the end of each UTC day since this leaderboard was first read, and from the changes of the
      record holders’ entries: a record that fell on the day on which it was set is not listed. A day without a time:
      better entries were removed on it.
    </p>`;
}

/** The record over time as steps; nothing for one record, or for ratings that are no numbers. */
function recordPlot(records: readonly LeaderboardRecord[], now: EpochSeconds): Html | '' {
  const byTime = Map.groupBy(records.toReversed(), ({ since }) => since);
  const steps = [...byTime].map(([since, [record, ...others]]) => ({
    begin: parseInstant(since),
    value: record === undefined ? Number.NaN : record.isTime ? record.timeMs : scoreOf(record.rating),
    holders: [record, ...others].map((one) => isolated(one?.playerName ?? '')).join(', '),
  }));
  if (steps.length < 2 || steps.some(({ value }) => Number.isNaN(value))) return '';
  const begins = steps.map(({ begin }) => begin);
  return plot({
    id: 'record-plot',
    caption: 'Record',
    data: {
      kind: 'steps',
      y: 'fit',
      ...(records[0]?.isTime === true && { values: 'time' }),
      // Whole slots: every gateway renders the same bytes.
      cells: { unit: 'change', from: Math.min(...begins), until: Math.max(slotOf(now), ...begins) + 1, begins },
      series: [
        {
          label: 'Record',
          values: steps.map(({ value }) => value),
          notes: steps.map(({ holders }) => holders),
        },
      ],
    },
  });
}

function ratingOf({ timeFormatted, rating }: LeaderboardRecord): string {
  return timeFormatted === '' ? rating : timeFormatted;
}
