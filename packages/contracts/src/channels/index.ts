import { z } from 'zod';
import type { ChannelType } from './channel-type.ts';
import { discord } from './discord.ts';
import { feed } from './feed.ts';
import { ntfy } from './ntfy.ts';
import { webhook } from './webhook.ts';
import { webpush } from './webpush.ts';

const types = { webpush, discord, ntfy, webhook, feed };

export type ChannelKind = keyof typeof types;
export const channelKinds = Object.keys(types) as [ChannelKind, ...ChannelKind[]];
/** All kinds of channels: what users give, what is sent, and what answers mean. */
export const channelTypes: Readonly<Record<ChannelKind, ChannelType>> = types;

/** The fields of all kinds, each optional, as the API documents them. */
export const channelFields = z.object(
  Object.fromEntries(
    channelKinds
      .flatMap((kind) => Object.entries(channelTypes[kind].fields))
      .map(([name, { schema }], _, all) => {
        const texts = all.filter(([other]) => other === name).map(([, { about }]) => about);
        return [name, schema.optional().meta({ description: `${texts.join('. Or: ')}.` })];
      }),
  ),
);

/** Whether the fields are those of a kind. `onFault` gets the name of a field, and what is said of it. */
export function checkChannelFields(
  kind: ChannelKind,
  given: Readonly<Record<string, unknown>>,
  onFault: (field: string, message: string) => void,
): void {
  const { fields } = channelTypes[kind];
  for (const name of Object.keys(channelFields.shape)) {
    const [field, value] = [fields[name], given[name]];
    if ((field === undefined) !== (value === undefined)) {
      const kinds = channelKinds.filter((one) => name in channelTypes[one].fields);
      onFault(name, `belongs to ${kinds.join(' and ')}`);
    } else if (field?.isRight?.(value) === false) {
      onFault(name, field.message ?? 'must be valid');
    }
  }
}
