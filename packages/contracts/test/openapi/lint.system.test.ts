import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { asyncapi, oas } from '@stoplight/spectral-rulesets';
import { asyncApiDocument } from '../../src/openapi/async-api-document.ts';
import { printedDocument } from '../../src/openapi/open-api-document.ts';

/** Returns the violations of the recommended rules of Spectral. */
async function lint(document: string, recommended: unknown = oas): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[recommended as RulesetDefinition, 'recommended']], rules: {} });
  const found = await spectral.run(document);
  return found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
}

describe('the OpenAPI document', () => {
  it('passes the recommended rules of Spectral', async () => {
    expect(await lint(printedDocument())).toEqual([]);
  });

  it.each([
    ['"operationId": "getGame"', '"operationId": "listGames"', 'operation-operationId-unique'],
    ['"in": "path"', '"in": "nowhere"', 'oas3-schema'],
    ['"Online"', '"Onlime"', 'operation-tag-defined'],
    ['"/api/title/{titleId}"', '"/api/title/{title}"', 'path-params'],
  ])('is reported by Spectral when %s is replaced by %s', async (is, were, rule) => {
    const found = await lint(printedDocument().replace(is, were));
    expect(found).toContainEqual(expect.stringContaining(rule));
  });
});

describe('the AsyncAPI document', () => {
  const printed = JSON.stringify(asyncApiDocument());

  it('passes the recommended rules of Spectral', async () => {
    // Messages are internal: the document names no contact.
    const found = await lint(printed, asyncapi);
    expect(found.filter((fault) => !fault.startsWith('asyncapi-info-contact '))).toEqual([]);
  });

  it.each([
    ['"action":"send"', '"action":"shout"', 'asyncapi-3-document-resolved'],
    ['"address":"slot.observed"', '"address":5', 'asyncapi-3-document-resolved'],
  ])('is reported by Spectral when %s is replaced by %s', async (is, were, rule) => {
    const found = await lint(printed.replace(is, were), asyncapi);
    expect(found).toContainEqual(expect.stringContaining(rule));
  });
});
