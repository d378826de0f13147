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

/** What a fact says on a topic of the stream: at least one event. */
export interface TopicEvents {
  readonly topic: StreamTopic;
  readonly events: readonly object[];
}

/** What is needed of the titles. */
export interface TitleNames {
  /** A game's name as routes have it; `""` while it is unknown. */
  nameOf: (titleId: string) => string;
}

/**
 * What the public hears of a fact: undefined for one that is no news (of the past, or of none of the topics). Changes,
 * unlocks and events are in their facts as public answers have them: a hidden achievement is masked there already.
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
  // The bus hands over what the type's own schema has accepted.
  return [type.key, { topic, events: (data, titles) => events(data, titles) }];
}

function timestampOf(instant: string): string {
  return formatTimestamp(parseInstant(instant));
}
