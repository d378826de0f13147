import { z } from 'zod';
import { iconImage } from '../operations/icons.ts';
import { tags, titleId } from '../primitives/keys.ts';
import { instant } from '../primitives/time.ts';
import { messageType, observation } from './message-type.ts';

const EXAMPLE_IMAGE = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';

export const iconObserved = messageType({
  ...observation,
  key: 'icon.observed',
  summary: 'The icon of a title: decoded, made small and encoded again by the collector.',
  consumers: ['catalog-api'],
  data: z.strictObject({ seenAt: instant, titleId, image: iconImage }),
  example: { seenAt: '2026-01-31T18:05:00Z', titleId: '4d530064', image: EXAMPLE_IMAGE },
});

export const iconStored = messageType({
  key: 'icon.stored',
  exchange: 'facts',
  summary: 'A title has an icon, or another one.',
  producer: 'catalog-api',
  consumers: [],
  data: z.strictObject({ titleId }),
  example: { titleId: '4d530064' },
  tags: (data) => [tags.icon(data.titleId)],
});
