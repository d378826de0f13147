import { decodeSegment, nameKey, operations } from '@lobbystats/contracts';
import { entityTag, mountPath, notFound } from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import { EncodedBodies } from '../cache/encoded-bodies.ts';
import type { OriginResponse } from '../cache/cache-request.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendResponse } from '../operations/send-response.routes.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { gameBadge } from './game-badge.ts';
import { gameImage } from './game-image.ts';
import { imagePaths } from '@lobbystats/site';
import type { ImageOf } from './image.ts';
import { leaderboardImage, type LeaderboardAsked } from './leaderboard-image.ts';
import { playerImage } from './player-image.ts';
import type { Rasterize } from './rasterize.ts';
import { siteImage } from './site-image.ts';

export interface ImagesOptions {
  readonly upstreams: Upstreams;
  readonly directory: TitleDirectory;
  readonly cache: ResponseCache;
  readonly rasterize: Rasterize;
  /** Shown on every image. */
  readonly note: string;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** Mounts the images for link previews, and badges: drawn from data and cached like its JSON. */
export function mountImages(app: Express, options: ImagesOptions): void {
  const titleOf = ({ game = '' }: PathParams) => {
    const titleId = options.directory.resolveLink(game);
    const title = titleId === undefined ? undefined : options.directory.find(titleId);
    if (title === undefined) throw notFound('game');
    return title;
  };
  mountImage(app, imagePaths.site, siteImage, () => ({}), options);
  mountImage(app, imagePaths.game, gameImage, titleOf, options);
  mountImage(
    app,
    imagePaths.leaderboard,
    leaderboardImage,
    (params) => leaderboardOf(titleOf(params), params),
    options,
  );
  mountImage(app, imagePaths.player, playerImage, playerOf, options);
  mountImage(app, imagePaths.badge, gameBadge(1), titleOf, options);
  // For screens with two pixels a unit.
  mountImage(app, imagePaths.badgePicture, gameBadge(2), titleOf, options);
}

type PathParams = Readonly<Record<string, string | undefined>>;

const PUBLIC_GET = { method: 'GET', session: 'none' } as const;

function mountImage<Asked>(
  app: Express,
  path: string,
  image: ImageOf<Asked>,
  parse: (params: PathParams) => Asked,
  { upstreams, cache, rasterize, note, now }: ImagesOptions,
): void {
  mountPath(app, path, image.id, async (req, res) => {
    const asked = parse(textParams(req));
    const fetch = async () => {
      const svg = await image.draw(asked, { note, now: now() }, upstreams.withSharedDeadline());
      return path.endsWith('.svg')
        ? imageResponse(Buffer.from(svg), 'image/svg+xml')
        : imageResponse(await rasterize(svg), 'image/png');
    };
    const response = await cache.getOrFetch({
      key: JSON.stringify([image.id, ...image.key(asked)]),
      operation: image.id,
      upstream: 'gateway',
      tags: image.tags(asked),
      policy: 'store',
      fetch,
    });
    await sendResponse(req, res, cache, {
      ...{ operation: PUBLIC_GET, response, hasSession: false },
      // A PNG is compressed itself.
      ...(!path.endsWith('.svg') && { encoding: 'identity' }),
    });
  });
}

function textParams({ params }: Request): PathParams {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeSegment(String(value))]));
}

function leaderboardOf({ titleId }: { titleId: string }, { leaderboardId }: PathParams): LeaderboardAsked {
  const { data } = operations.getLeaderboard.params.safeParse({ titleId, leaderboardId });
  if (data === undefined) throw notFound('leaderboard');
  return data;
}

function playerOf({ name }: PathParams): { name: string } {
  const { data } = operations.getPlayer.params.safeParse({ player: name });
  if (data === undefined || nameKey(data.player) === '') throw notFound('player');
  return { name: data.player };
}

function imageResponse(bytes: Buffer, mediaType: string): OriginResponse {
  return { body: new EncodedBodies(bytes, entityTag(bytes)), headers: { 'Content-Type': mediaType } };
}
