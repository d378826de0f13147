import type { OpenApiDocument } from '../src/index.ts';
import { printedDocument } from '../src/print.ts';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(printedDocument()) as OpenApiDocument;
const dailyStats = document.paths['/api/title/{titleId}/daily-stats'];
const lobbySeries = document.paths['/api/service-stats/lobbies-24h'];
const matchHistory = document.paths['/api/title/{titleId}/matches/history'];
const matchStats = document.paths['/api/title/{titleId}/matches/stats'];

describe('the document', () => {
  it.each([
    ['maxPlayers', document, /0 = unknown/],
    ['releaseDate', document, /"" when unknown/],
    ['publisher', document, /"" when unknown/],
    ['lobby_count', lobbySeries, /open at once/],
    ['lobby_count', dailyStats, /began on that UTC day/],
    ['peakPlayers', matchHistory, /this one match/],
    ['peakPlayers', matchStats, /summed over all hosts/],
    ['peak_players', document, /summed over all hosts/],
    ['unique_hosts', document, /that UTC day/],
    ['uniqueHosts', document, /these 24 hours/],
  ])('explains %s in every schema that has it', (field, part, meaning) => {
    const descriptions = fieldsIn(part, field).map(({ description }) => description);
    expect(descriptions).not.toEqual([]);
    for (const description of descriptions) expect(description).toMatch(meaning);
  });

  it.each(['lobby_count', 'peakPlayers'])('leaves no %s unexplained', (field) => {
    const fields = fieldsIn(document, field);
    expect(fields.filter(({ description }) => description === undefined)).toEqual([]);
  });
});

/** The schemas of all properties of that name, wherever they are. */
function fieldsIn(part: unknown, name: string): Json[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties } = part as { properties?: Readonly<Record<string, Json>> };
  const here = properties?.[name];
  return [...(here === undefined ? [] : [here]), ...Object.values(part).flatMap((inner) => fieldsIn(inner, name))];
}
