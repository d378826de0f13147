import {
  achievementUnlocked,
  backfillProgressed,
  changeRecorded,
  eventStored,
  matchEnded,
  matchId,
  matchOpened,
  nowChanged,
  parseInstant,
  profileUpdated,
  ratingStored,
  slotStored,
  type Message,
  type MessageType,
  type StreamData,
  type StreamTopic,
} from '@lobbystats/contracts';

export interface TopicEvents {
  readonly topic: StreamTopic;
  readonly events: readonly object[];
}

export interface TitleNames {
  nameOf: (titleId: string) => string;
}

/**
 * The public events of a fact; undefined for backfilled facts and other types. Facts have public values only: hidden
 * achievements are masked.
 */
export function topicEventsOf(message: Message, titles: TitleNames): TopicEvents | undefined {
  if (message.past) return undefined;
  const mapping = topicMappings.get(message.type);
  const events = mapping?.events(message.data, titles) ?? [];
  return mapping === undefined || events.length === 0 ? undefined : { topic: mapping.topic, events };
}

type DataOf<Type extends MessageType> = Parameters<Type['tags']>[0];

interface TopicMapping {
  readonly topic: StreamTopic;
  readonly events: (data: unknown, titles: TitleNames) => readonly object[];
}

const topicMappings: ReadonlyMap<string, TopicMapping> = new Map([
  mapTopic('online', slotStored, ({ slot, online, lobbies }) => [{ slot: timestampOf(slot), online, lobbies }]),
  mapTopic('matches', matchOpened, ({ slot, matches }, { nameOf }) =>
    matches.map(({ titleId, host, players, maxPlayers }) => ({
      titleId,
      gameName: nameOf(titleId),
      hostName: host,
      currentPlayers: players,
      maxPlayers,
      state: 'open',
      timestamp: timestampOf(slot),
      id: matchId({ titleId, host, startedAt: parseInstant(slot) }),
    })),
  ),
  mapTopic('matches', matchEnded, ({ matches }, { nameOf }) =>
    matches.map(({ titleId, host, players, maxPlayers, startedAt, endedAt }) => ({
      titleId,
      gameName: nameOf(titleId),
      hostName: host,
      currentPlayers: players,
      maxPlayers,
      state: 'closed',
      timestamp: timestampOf(endedAt),
      id: matchId({ titleId, host, startedAt: parseInstant(startedAt) }),
    })),
  ),
  mapTopic('changes', changeRecorded, ({ changes }) => changes),
  mapTopic('unlocks', achievementUnlocked, ({ unlocks }) => unlocks),
  mapTopic('events', eventStored, ({ events }) => events),
  mapTopic('now', nowChanged, (now) => [now]),
  mapTopic('backfill', backfillProgressed, (progress) => [progress]),
  mapTopic('profiles', profileUpdated, (user) => [user]),
  mapTopic('ratings', ratingStored, ({ username, average, ratingCount }) => [{ username, average, ratingCount }]),
]);

function mapTopic<Topic extends StreamTopic, Type extends MessageType>(
  topic: Topic,
  type: Type,
  events: (data: DataOf<Type>, titles: TitleNames) => readonly StreamData<Topic>[],
): readonly [string, TopicMapping] {
  // The bus has validated the data.
  return [type.key, { topic, events: (data, titles) => events(data, titles) }];
}

function timestampOf(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)}`;
}
