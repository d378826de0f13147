import { httpUrl, REFUSED_FOR_GOOD, shortened, TEMPORARY, textOf, type ChannelType } from './channel-type.ts';

const TOPIC = /^https?:\/\/[^/?#@\s]+\/([-\w]{1,64})$/;
/** A message holds 4096 bytes. */
const [TITLE_MAX, TEXT_MAX] = [200, 1000];

/** A topic of ntfy, which its app shows on phones. */
export const ntfy: ChannelType<{ url: string }> = {
  label: 'ntfy',
  about:
    'A topic of [ntfy](https://ntfy.sh) gets a message, which a newer version of ntfy replaces when it is repeated. Who knows the topic can read it: choose one that nobody guesses.',
  fields: {
    url: {
      schema: httpUrl,
      label: 'Address of the topic',
      about: 'Such as https://ntfy.sh/my-own-topic, or a topic at another host that the operators allow',
      isRight: (url) => TOPIC.test(url),
      message: 'must be the URL of a topic of ntfy, such as https://ntfy.sh/TOPIC',
    },
  },
  delivery: {
    target: {
      urlOf: ({ url }) => url,
      isHost: (hostname) => hostname === 'ntfy.sh',
      message: 'must be of ntfy.sh, or of a host that the operators allow',
    },
    endedBy: REFUSED_FOR_GOOD,
    repeated: TEMPORARY,
    request: ({ url }, message) => {
      const { title, text, url: click } = textOf(message);
      return {
        url: new URL('/', url).href,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          ...{
            topic: TOPIC.exec(url)?.[1],
            title: shortened(title, TITLE_MAX),
            message: shortened(text, TEXT_MAX),
            click,
          },
          sequence_id: message.id.slice(0, 64),
        }),
      };
    },
  },
};
