import { operations } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { parseResponse, type UpstreamFetcher } from '../upstreams/upstreams.ts';

const { getIcon } = operations;

/** Returns the WebP image; undefined for a title without one. @throws AppError `unavailable` when catalog-api fails */
export async function findIcon(titleId: string, upstreams: UpstreamFetcher): Promise<Buffer | undefined> {
  try {
    const response = await upstreams.fetch(getIcon, { titleId }, {});
    return parseResponse(getIcon, response, ({ image }) => Buffer.from(image, 'base64'));
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
