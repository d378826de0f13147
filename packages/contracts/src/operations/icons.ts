import { z } from 'zod';
import { tags } from '../primitives/keys.ts';
import { internalGet, none, titleParams } from './fields.ts';
import { operation } from './operation.ts';

/** Pixels of the longer side of an icon; smaller icons keep their size. */
export const ICON_SIZE = 64;
/** Bytes of an encoded icon. */
export const ICON_BYTES_MAX = 24_576;

export const iconImage = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
  .max((ICON_BYTES_MAX / 3) * 4)
  .meta({
    description: `A WebP image of at most ${ICON_SIZE} × ${ICON_SIZE} pixels and ${ICON_BYTES_MAX} bytes, in Base64`,
  });

export const getIcon = operation({
  ...internalGet,
  id: 'getIcon',
  summary: 'The icon of a title',
  path: '/internal/titles/:titleId/icon',
  upstream: 'catalog-api',
  params: titleParams,
  query: none,
  response: z.strictObject({ image: iconImage }),
  tags: [tags.icon(':titleId')],
});
