import type { PlayDay, PlayerRecord, Standing, TitlePlay, UserRecord } from '../domain/user-record.ts';

/*
 * Lists that are only ever read and written as a whole are kept as JSON texts: of thousands of people at once a driver takes many
 * times as long over lists of its own. What was typed somewhere is a value in them, never the key of an object.
 */

/** A person's titles as a text: three values a title in one list, since a list a title would be most of the work. */
export function packTitles(titles: UserRecord['titles']): string {
  const values: (string | number)[] = [];
  for (const { titleId, minutes, lastPlayedAt } of titles) values.push(titleId, minutes, lastPlayedAt);
  return JSON.stringify(values);
}

/** The titles of a text of {@link packTitles}. */
export function unpackTitles(text: string): TitlePlay[] {
  const values = JSON.parse(text) as (string | number)[];
  const titles: TitlePlay[] = [];
  for (let at = 0; at < values.length; at += 3) {
    const [titleId, minutes, lastPlayedAt] = [values[at], values[at + 1], values[at + 2]];
    titles.push({ titleId: String(titleId), minutes: Number(minutes), lastPlayedAt: Number(lastPlayedAt) });
  }
  return titles;
}

/** Ids of unlocked achievements as a text. */
export function packIds(ids: UserRecord['unlocked']): string {
  return JSON.stringify(ids);
}

/** The ids of a text of {@link packIds}. */
export function unpackIds(text: string): number[] {
  return JSON.parse(text) as number[];
}

/** A player's standings as a text. */
export function packStandings(standings: PlayerRecord['standings']): string {
  return JSON.stringify(Array.from(standings, ([board, { rank, revision }]) => [board, rank, revision]));
}

/** The standings of a text of {@link packStandings}. */
export function unpackStandings(text: string): Map<string, Standing> {
  const rows = JSON.parse(text) as [board: string, rank: number | null, revision: number][];
  return new Map(rows.map(([board, rank, revision]) => [board, { rank, revision }]));
}

/** The slots of a day as a text. */
export function packDay(titles: PlayDay['titles']): string {
  return JSON.stringify(Array.from(titles, ([titleId, slots]) => [titleId, base64(slots)]));
}

/** The slots of a text of {@link packDay}. */
export function unpackDay(text: string): Map<string, Uint8Array> {
  const rows = JSON.parse(text) as [titleId: string, slots: string][];
  return new Map(rows.map(([titleId, slots]) => [titleId, new Uint8Array(Buffer.from(slots, 'base64'))]));
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
