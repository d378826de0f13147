import { z } from 'zod';

/** The largest number that the network gives boards, events and ranks. */
export const NUMBER_MAX = 2_147_483_647;

/** A number in a path: decimal digits. What has another form can't exist. */
export const pathId = z
  .string()
  .regex(/^[0-9]{1,10}$/)
  .transform(Number)
  .refine((id) => id <= NUMBER_MAX)
  .meta({ type: 'integer', minimum: 0, maximum: NUMBER_MAX });

/** A leaderboard's or event's number, as the network gives it. */
export const networkId = z.int().min(0).max(NUMBER_MAX);
