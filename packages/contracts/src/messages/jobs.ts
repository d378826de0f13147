import { z } from 'zod';
import { titleId } from '../primitives/keys.ts';
import { slotInstant } from '../primitives/time.ts';
import { messageType } from './message-type.ts';

export const pageRequested = messageType({
  key: 'page.wanted',
  version: 1,
  exchange: 'work',
  summary: 'A game page to be read for a slot: its matches, its metadata, or both. It expires with the slot.',
  producer: 'collector',
  consumers: ['collector'],
  data: z.strictObject({
    slot: slotInstant,
    titleId,
    matches: z.boolean().meta({ description: 'The slot waits for its matches' }),
    metadata: z.boolean().meta({ description: 'Its metadata is due' }),
  }),
  example: { slot: '2026-01-31T18:05:00Z', titleId: '4d530064', matches: true, metadata: false },
  tags: () => [],
});
