import { count } from './fields.ts';

/** Counts of a title in a slot, as the homepage says: messages, stores, exports and the API have them. The words are docs/analysts.md's too. */
export const observedCounts = {
  online: count.meta({ description: 'Users online' }),
  sessions: count.meta({
    description: "Sessions, as the homepage says, which is read seconds before the title's page",
  }),
  players: count.meta({ description: 'Players in sessions, as the homepage says' }),
};
type ObservedCount = keyof typeof observedCounts;

/** Counts of its open matches, which the stores derive; null if its page could not be read. */
const openCounts = {
  lobbies: count.nullable().meta({
    description: "Open matches by the title's page, one per host; **absent** if the page couldn't be read",
  }),
  lobbyPlayers: count.nullable().meta({ description: "Players in them; absent if the page couldn't be read" }),
};

export const titleCounts = { ...observedCounts, ...openCounts };
export type TitleCounts = Record<ObservedCount, number> & Record<keyof typeof openCounts, number | null>;

/** Counts that have another name in responses. */
const responseNames = { sessions: 'sessionCount', players: 'activeLobbyPlayers' } as const;
type ResponseName<Name> = Name extends keyof typeof responseNames ? (typeof responseNames)[Name] : Name;

/** Returns an object that has, under the name that each count has in responses, what `valueOf` returns for it. */
export function activityCounts<Value>(valueOf: (name: ObservedCount) => Value) {
  const names = Object.keys(observedCounts) as ObservedCount[];
  const renamed: Partial<Record<ObservedCount, string>> = responseNames;
  return Object.fromEntries(names.map((name) => [renamed[name] ?? name, valueOf(name)])) as {
    [Name in ObservedCount as ResponseName<Name>]: Value;
  };
}
