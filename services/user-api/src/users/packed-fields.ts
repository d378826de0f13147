import type { PlayDay, PlayerRecord, Standing, TitlePlay, UserRecord } from './user-record.ts';

/**
 * Lists that are read and written whole are JSON text, since drivers are slow with nested lists. User input is never an
 * object key.
 */

export function packTitles(titles: UserRecord['titles']): string {
  const values: (string | number)[] = [];
  for (const { titleId, minutes, lastPlayedAt } of titles) values.push(titleId, minutes, lastPlayedAt);
  return JSON.stringify(values);
}

export function unpackTitles(text: string): TitlePlay[] {
  const values = JSON.parse(text) as (string | number)[];
  const titles: TitlePlay[] = [];
  for (let at = 0; at < values.length; at += 3) {
    const [titleId, minutes, lastPlayedAt] = [values[at], values[at + 1], values[at + 2]];
    titles.push({ titleId: String(titleId), minutes: Number(minutes), lastPlayedAt: Number(lastPlayedAt) });
  }
  return titles;
}

export function packIds(ids: UserRecord['unlocked']): string {
  return JSON.stringify(ids);
}

export function unpackIds(text: string): number[] {
  return JSON.parse(text) as number[];
}

export function packStandings(standings: PlayerRecord['standings']): string {
  return JSON.stringify(Array.from(standings, ([board, { rank, revision, best }]) => [board, rank, revision, best]));
}

export function unpackStandings(text: string): Map<string, Standing> {
  const rows = JSON.parse(text) as [string, Standing['rank'], Standing['revision'], Standing['best']][];
  return new Map(rows.map(([board, rank, revision, best]) => [board, { rank, revision, best }]));
}

export function packDay(titles: PlayDay['titles']): string {
  return JSON.stringify(Array.from(titles, ([titleId, slots]) => [titleId, base64(slots)]));
}

export function unpackDay(text: string): Map<string, Uint8Array> {
  const rows = JSON.parse(text) as [titleId: string, slots: string][];
  return new Map(rows.map(([titleId, slots]) => [titleId, new Uint8Array(Buffer.from(slots, 'base64'))]));
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
