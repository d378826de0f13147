import { DAY_SECONDS, operations, tags, type GameMetadata } from '@lobbystats/contracts';
import { entityTag, mountPath, notFound } from '@lobbystats/service-kit';
import type { Express } from 'express';
import type { OriginResponse } from '../cache/cache-request.ts';
import { EncodedBodies } from '../cache/encoded-bodies.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendResponse } from '../operations/send-response.routes.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import type { UpstreamFetcher, Upstreams } from '../upstreams/upstreams.ts';
import { findIcon } from './find-icon.ts';
import { iconPlaceholder } from './icon-placeholder.ts';
import { imagePaths } from '@lobbystats/site';

const { getIcon } = operations;

/** An icon changes rarely; a placeholder only until the collector has read the icon. */
const MAX_AGE_SECONDS = { icon: DAY_SECONDS, placeholder: 300 };

const PUBLIC_GET = { method: 'GET', session: 'none' } as const;

/** Mounts the icons of games: small images of our own in place of the network's files. The ETag is a hash of the image. */
export function mountIcons(
  app: Express,
  { upstreams, directory, cache }: { upstreams: Upstreams; directory: TitleDirectory; cache: ResponseCache },
): void {
  mountPath(app, imagePaths.icon, getIcon.id, async (req, res) => {
    const title = directory.find(String(req.params['titleId']).toLowerCase());
    if (title === undefined) throw notFound('title');
    const response = await cache.getOrFetch({
      key: JSON.stringify([getIcon.id, title.titleId]),
      operation: getIcon.id,
      upstream: getIcon.upstream,
      // The placeholder has the initials of the name.
      tags: [tags.icon(title.titleId), tags.title(title.titleId)],
      policy: 'store',
      fetch: () => iconOrPlaceholder(title, upstreams),
    });
    const kind = response.headers['Content-Type'] === ICON_TYPE ? 'icon' : 'placeholder';
    await sendResponse(req, res, cache, {
      operation: PUBLIC_GET,
      response: { ...response, maxAgeSeconds: MAX_AGE_SECONDS[kind] },
      hasSession: false,
      // Images are compressed themselves.
      encoding: 'identity',
    });
  });
}

const ICON_TYPE = 'image/webp';

async function iconOrPlaceholder(title: GameMetadata, upstreams: UpstreamFetcher): Promise<OriginResponse> {
  const icon = await findIcon(title.titleId, upstreams);
  if (icon === undefined) return imageResponse(Buffer.from(iconPlaceholder(title)), 'image/svg+xml');
  return imageResponse(icon, ICON_TYPE);
}

function imageResponse(bytes: Buffer, mediaType: string): OriginResponse {
  return { body: new EncodedBodies(bytes, entityTag(bytes)), headers: { 'Content-Type': mediaType } };
}
