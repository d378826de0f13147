import type { OpenApiDocument } from '../../src/openapi/index.ts';
import { printedDocument } from '../../src/openapi/open-api-document.ts';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(printedDocument()) as OpenApiDocument;
const {
  GameDay: gameDay,
  LobbyCount: lobbyCount,
  PastMatch: pastMatch,
  MatchStats: matchStats,
} = document.components.schemas;

describe('field descriptions of the OpenAPI document', () => {
  it.each([
    ['maxPlayers', document, /0 = unknown/],
    ['releaseDate', document, /"" when unknown/],
    ['publisher', document, /"" when unknown/],
    ['lobby_count', lobbyCount, /open at once/],
    ['lobby_count', gameDay, /spans midnight counts on both days/],
    ['peakPlayers', pastMatch, /this one match/],
    ['peakPlayers', matchStats, /summed over all hosts/],
    ['peak_players', document, /summed over all hosts/],
    ['unique_hosts', document, /that UTC day/],
    ['uniqueHosts', document, /these 24 hours/],
  ])('the description of %s is specific in every schema that has the field', (field, part, meaning) => {
    const descriptions = fieldsIn(part, field).map(({ description }) => description);
    expect(descriptions).not.toEqual([]);
    for (const description of descriptions) expect(description).toMatch(meaning);
  });

  it.each(['lobby_count', 'peakPlayers'])('every %s has a description', (field) => {
    const fields = fieldsIn(document, field);
    expect(fields.filter(({ description }) => description === undefined)).toEqual([]);
  });
});

/** All property schemas with that name, at any depth. */
function fieldsIn(part: unknown, name: string): Json[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties } = part as { properties?: Readonly<Record<string, Json>> };
  const here = properties?.[name];
  return [...(here === undefined ? [] : [here]), ...Object.values(part).flatMap((inner) => fieldsIn(inner, name))];
}
