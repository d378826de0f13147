import {
  achievementUnlocked,
  changeRecorded,
  eventStored,
  formatTimestamp,
  matchEnded,
  matchOpened,
  parseInstant,
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
 * The public events of a fact; undefined for past facts and other types. Facts carry public values: hidden achievements
 * are masked already.
 */
export function topicEventsOf(message: Message, titles: TitleNames): TopicEvents | undefined {
  if (message.past) return undefined;
  const told = tellings.get(message.type);
  const events = told?.events(message.data, titles) ?? [];
  return told === undefined || events.length === 0 ? undefined : { topic: told.topic, events };
}

type DataOf<Type extends MessageType> = Parameters<Type['tags']>[0];

interface Telling {
  readonly topic: StreamTopic;
  readonly events: (data: unknown, titles: TitleNames) => readonly object[];
}

const tellings: ReadonlyMap<string, Telling> = new Map([
  tell('online', slotStored, ({ slot, online, lobbies }) => [{ slot: timestampOf(slot), online, lobbies }]),
  tell('matches', matchOpened, ({ slot, matches }, { nameOf }) =>
    matches.map(({ titleId, host, players, maxPlayers }) => ({
      titleId,
      gameName: nameOf(titleId),
      hostName: host,
      currentPlayers: players,
      maxPlayers,
      state: 'open',
      timestamp: timestampOf(slot),
    })),
  ),
  tell('matches', matchEnded, ({ matches }, { nameOf }) =>
    matches.map(({ titleId, host, players, maxPlayers, endedAt }) => ({
      titleId,
      gameName: nameOf(titleId),
      hostName: host,
      currentPlayers: players,
      maxPlayers,
      state: 'closed',
      timestamp: timestampOf(endedAt),
    })),
  ),
  tell('changes', changeRecorded, ({ changes }) => changes),
  tell('unlocks', achievementUnlocked, ({ unlocks }) => unlocks),
  tell('events', eventStored, ({ events }) => events),
  tell('ratings', ratingStored, ({ username, average, ratingCount }) => [{ username, average, ratingCount }]),
]);

function tell<Topic extends StreamTopic, Type extends MessageType>(
  topic: Topic,
  type: Type,
  events: (data: DataOf<Type>, titles: TitleNames) => readonly StreamData<Topic>[],
): readonly [string, Telling] {
  // The bus has validated the data.
  return [type.key, { topic, events: (data, titles) => events(data, titles) }];
}

function timestampOf(instant: string): string {
  return formatTimestamp(parseInstant(instant));
}
