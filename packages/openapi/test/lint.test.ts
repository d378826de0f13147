import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { printedDocument } from '../src/print.ts';

/** What Spectral's recommended rules say against a document. */
async function lint(document: string): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']], rules: {} });
  const found = await spectral.run(document);
  return found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
}

describe('the document', () => {
  it('is as Spectral’s recommended rules want it', async () => {
    expect(await lint(printedDocument())).toEqual([]);
  });

  it.each([
    ['"operationId": "getGame"', '"operationId": "listGames"', 'operation-operationId-unique'],
    ['"in": "path"', '"in": "nowhere"', 'oas3-schema'],
    ['"Online"', '"Onlime"', 'operation-tag-defined'],
    ['"/api/title/{titleId}"', '"/api/title/{title}"', 'path-params'],
  ])('would be told of %s that were %s', async (is, were, rule) => {
    const found = await lint(printedDocument().replace(is, were));
    expect(found).toContainEqual(expect.stringContaining(rule));
  });
});
