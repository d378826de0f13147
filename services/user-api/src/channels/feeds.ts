import { NOTIFICATIONS_MAX, type EpochSeconds, type operations, type OperationResponse } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { FollowStore } from '../following/follow-store.ts';
import { notificationOf } from '../following/following.ts';
import type { ChannelStore } from './channel-store.ts';

interface FeedsOptions {
  readonly channels: Pick<ChannelStore, 'channel'>;
  readonly following: Pick<FollowStore, 'notificationsOf' | 'subscriptionsOf'>;
  readonly publicUrl: string;
  readonly now: () => EpochSeconds;
}

/** Reads the feeds of users. The ID of the channel is the hash of the feed's token. */
export class Feeds {
  readonly #options: FeedsOptions;

  constructor(options: FeedsOptions) {
    this.#options = options;
  }

  /** @throws AppError `not-found`, also for a feed that the operators have stopped */
  async notifications(feed: string): Promise<OperationResponse<typeof operations.listFeedNotifications>> {
    const { following, now, publicUrl } = this.#options;
    const records = await following.notificationsOf(await this.#ownerOf(feed), now(), NOTIFICATIONS_MAX);
    return { notifications: records.map((record) => notificationOf(record, publicUrl)) };
  }

  /** @throws AppError as {@link notifications} */
  async events(feed: string): Promise<OperationResponse<typeof operations.listFeedEvents>> {
    const followed = await this.#options.following.subscriptionsOf(await this.#ownerOf(feed));
    const targetsOf = (kind: 'event' | 'game') => followed.filter((one) => one.kind === kind);
    return {
      eventIds: targetsOf('event').map(({ target }) => Number(target)),
      titleIds: targetsOf('game').flatMap(({ target, rules }) => (rules.events === true ? [target] : [])),
    };
  }

  async #ownerOf(feed: string): Promise<string> {
    const channel = await this.#options.channels.channel(feed);
    if (channel?.kind !== 'feed' || channel.state !== 'active') throw new AppError('not-found', 'Unknown feed');
    return channel.userKey;
  }
}
