import { NOTIFICATIONS_MAX } from '../operations/following.ts';
import type { ChannelType } from './channel-type.ts';

/** An Atom feed and a calendar at secret addresses. */
export const feed: ChannelType = {
  label: 'feed and calendar',
  about: `A feed is read: \`feedUrl\` is an Atom feed of the last ${NOTIFICATIONS_MAX} notifications, and \`calendarUrl\` an iCalendar feed of the events that are followed, and of those of followed games whose rule \`events\` is on. Both need no session: who has such a URL can read it. To add a feed of the same name makes new URLs, and ends the old ones.`,
  fields: {},
};
