import { followedPicturePath } from '../operations/following.ts';
import { formatInstant, parseInstant } from '../primitives/time.ts';
import {
  httpUrl,
  REFUSED_FOR_GOOD,
  shortened,
  TEMPORARY,
  textOf,
  type ChannelMessage,
  type ChannelType,
} from './channel-type.ts';

const WEBHOOK =
  /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{17,20}\/[\w-]{20,100})$/;
/** Limits of Discord, which counts escapes. */
const [TITLE_MAX, TEXT_MAX] = [256, 4096];

/** A webhook of a text channel in Discord: an embed with a picture. */
export const discord: ChannelType<{ url: string }> = {
  label: 'Discord',
  about: 'A Discord webhook gets an embed.',
  fields: {
    url: {
      schema: httpUrl,
      label: 'Address of the webhook',
      about: 'From Discord: the settings of a text channel, Integrations, Webhooks, Copy webhook URL',
      isRight: (url) => WEBHOOK.test(url),
      message: 'must be the URL of a Discord webhook',
    },
  },
  delivery: {
    endedBy: REFUSED_FOR_GOOD,
    repeated: TEMPORARY,
    // Each webhook has a limit of its own, beside the one of all requests.
    isAddressLimit: (headers) => ['user', 'shared'].includes(String(headers['x-ratelimit-scope'])),
    request: ({ url }, message, { discordUrl, publicUrl }) => ({
      url: `${discordUrl}/webhooks/${WEBHOOK.exec(url)?.[1] ?? ''}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ embeds: [embedOf(message, publicUrl)], allowed_mentions: { parse: [] } }),
    }),
  },
};

function embedOf(message: ChannelMessage, publicUrl: string) {
  const { title, text, url } = textOf(message);
  const picture =
    message.type === 'notification'
      ? followedPicturePath(message.notification.kind, message.notification.target)
      : '/og/site.png';
  return {
    title: withoutMarkdown(title, TITLE_MAX),
    description: withoutMarkdown(text, TEXT_MAX),
    url,
    ...(message.type === 'notification' && { timestamp: formatInstant(parseInstant(message.notification.happenedAt)) }),
    image: { url: publicUrl + picture },
  };
}

/** Returns a text that Discord shows as it is. No escape is cut in two. */
function withoutMarkdown(text: string, max: number): string {
  const escaped = text.replace(/[\\*_~`|<>[\]()#@:-]/g, String.raw`\$&`);
  return shortened(escaped, max).replace(/(?<!\\)((?:\\\\)*)\\…$/, '$1…');
}
