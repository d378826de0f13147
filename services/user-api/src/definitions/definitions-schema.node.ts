import { titleId } from '@lobbystats/contracts';
import { z } from 'zod';

const ID_MAX = 2_147_483_647;
const MINUTES_MAX = 100_000_000;
const COUNT_MAX = 1_000_000_000;
const POINTS_MAX = 1000;

const text = (max: number) =>
  z
    .string({ error: `must be a text of 1 to ${max} characters` })
    .min(1, `must be a text of 1 to ${max} characters`)
    .max(max, `must be a text of 1 to ${max} characters`)
    .refine((value) => value === value.trim(), 'must not begin or end with a space')
    .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), 'must not hold control characters');

const integer = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`;
  return z.int({ error: message }).min(min, message).max(max, message);
};

const nameMessage = 'must be words of lower-case letters and digits with - between them, 64 characters at most';
const name = z
  .string({ error: nameMessage })
  .max(64, nameMessage)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, nameMessage);

const imageMessage = 'must be a path of the network such as /icons/4d530064.png, or ""';

const pictureMessage = 'must be a path of this site such as /icon/4d530064';

const group = z.strictObject({
  groupId: name,
  titleId: titleId.nullable(),
  displayName: text(100),
  imageUrl: z.string({ error: imageMessage }).regex(/^(?:\/(?!\/)[^\s\\]*)?$/, imageMessage),
});

const count = integer(1, COUNT_MAX);

const rule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('play-minutes'), minutes: integer(1, MINUTES_MAX) }),
  z.strictObject({ kind: z.literal('play-minutes-in-title'), titleId, minutes: integer(1, MINUTES_MAX) }),
  z.strictObject({ kind: z.literal('titles-played'), count }),
  z.strictObject({ kind: z.literal('leaderboard-rank'), rank: integer(1, ID_MAX), titleId: titleId.optional() }),
  z.strictObject({ kind: z.literal('leaderboards-on'), count }),
  z.strictObject({ kind: z.literal('ratings-given'), count }),
  z.strictObject({ kind: z.literal('sessions-hosted'), count }),
]);

const achievement = z.strictObject({
  id: integer(1, ID_MAX),
  key: name.refine((value) => !/^hidden-\d+$/.test(value), 'must not look like the key of a hidden one'),
  name: text(80),
  description: text(240),
  points: integer(0, POINTS_MAX),
  isHidden: z.boolean({ error: 'must be true or false' }).default(false),
  groupId: name,
  picture: z
    .string({ error: pictureMessage })
    .max(200, pictureMessage)
    .regex(/^(?:\/[\w.-]+)+$/, pictureMessage)
    .optional(),
  rule,
});

export const definitionsFile = z.strictObject({ groups: z.array(group), achievements: z.array(achievement) });
export type DefinitionsFile = z.output<typeof definitionsFile>;
