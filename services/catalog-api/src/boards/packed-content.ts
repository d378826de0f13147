import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BoardContent, Entry } from './board.ts';

/** Most contents are smaller than zlib's default of 16 KiB. */
const CHUNK_BYTES = 8192;

export function packContent({ name, isTime, entries }: BoardContent): Uint8Array {
  const columns: Columns = {
    name,
    isTime,
    ranks: entries.map(({ rank }) => rank),
    names: entries.map((entry) => entry.name),
    ratings: entries.map(({ rating }) => rating),
    times: isTime ? entries.map(({ timeMs }) => timeMs) : [],
  };
  return deflateRawSync(JSON.stringify(columns), { level: 3, chunkSize: CHUNK_BYTES });
}

export function unpackContent(packed: Uint8Array): BoardContent {
  const { name, isTime, ranks, names, ratings, times } = JSON.parse(inflateRawSync(packed).toString()) as Columns;
  const entries = ranks.map((rank, index): Entry => ({
    rank,
    name: names[index] ?? '',
    rating: ratings[index] ?? '',
    timeMs: times[index] ?? 0,
  }));
  return { name, isTime, entries };
}

interface Columns {
  name: string;
  isTime: boolean;
  ranks: number[];
  names: string[];
  ratings: string[];
  times: number[];
}
