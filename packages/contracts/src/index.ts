export { READ_TIMEOUT_MS, serviceNames, type ServiceName } from './services.ts';
export * from './primitives/time.ts';
export * from './primitives/keys.ts';
export { isolated, plainText } from './primitives/plain-text.ts';
export { formatRaceTime } from './primitives/race-time.ts';
export { decodeSegment, encodeSegment } from './primitives/path-segment.ts';
export { nameWords, searchKey } from './primitives/name-words.ts';
export {
  hasWord,
  isNear,
  isPartKey,
  matches,
  matchOf,
  nameQuery,
  PART_MIN,
  wordKeys,
  type Match,
  type NameQuery,
} from './primitives/name-match.ts';
export * from './primitives/query.ts';
export * from './operations/operation.ts';
export { sampleRequest, type SampleValues } from './operations/sample-request.ts';
export { isoTimesOf } from './operations/iso-times.ts';
export { allOperations, operations } from './operations/index.ts';
export { API_VERSION, OPENAPI_PATH, RATE_LIMITS } from './operations/about.ts';
export { change, changeTypes, type Change, type ChangeType } from './operations/changes.ts';
export {
  announcedEvent,
  eventEnd,
  eventStatus,
  eventStatuses,
  publicEvent,
  type AnnouncedEvent,
  type EventStatus,
  type PublicEvent,
  eventPagePath,
} from './operations/events.ts';
export { AROUND_LIMIT, PLAYER_NAME_MAX } from './operations/leaderboards.ts';
export { SEARCH_PLAYERS_MAX, SEARCH_ROWS_MAX } from './operations/search.ts';
export { profile, profileBounds, socialLink, type Profile, type SocialLink } from './operations/profiles.ts';
export { linkInput, platformDomains } from './operations/social-links.ts';
export { discordUrl, type ProfileUpdate } from './operations/profile-update.ts';
export { recentUnlock, type RecentUnlock, type UserAchievement } from './operations/achievements.ts';
export { CONFIRMATION_SECONDS, ERASED_MESSAGE } from './operations/own-account.ts';
export { COMMENT_MAX, PRIOR_STARS, PRIOR_VOTES, STARS_MAX } from './operations/reputation.ts';
export { ACTIVITY_DAYS, COMPARED_GAMES_MAX, RANKED_GAMES_MAX, weekdays } from './operations/game-periods.ts';
export { activityCounts, observedCounts, titleCounts, type TitleCounts } from './operations/title-counts.ts';
export { LOBBIES_MAX } from './operations/lobbies.ts';
export type { NameType } from './operations/suggest.ts';
export { now } from './operations/now.ts';
export {
  backfillParts,
  networkSources,
  DECLARED_ABSENT,
  sourceContents,
  type BackfillPart,
  type MissingSource,
  type RefusedSource,
  type NetworkSourceName,
} from './operations/status.ts';
export {
  defaultRules,
  NOTIFICATIONS_MAX,
  FOLLOWING_MAX,
  followedPagePath,
  followedPicturePath,
  followKey,
  NOTIFICATION_ITEMS_MAX,
  NOTIFICATION_RETENTION_SECONDS,
  type FollowRule,
  type FollowRules,
  type Followed,
  type Notification,
  type QuietHours,
} from './operations/following.ts';
export * from './operations/news.ts';
export {
  CHANNELS_MAX,
  DELIVERIES_MAX,
  DELIVERY_SECONDS,
  feedPaths,
  feedToken,
  type Channel,
  type ChannelState,
  type DeliveryState,
  type NewChannel,
} from './operations/channels.ts';
export {
  webhookHeaders,
  webhookMessages,
  type WebhookMessage,
  type WebhookMessageType,
} from './operations/webhook-messages.ts';
export { channelKinds, channelTypes, type ChannelKind } from './channels/index.ts';
export {
  shortened,
  type ChannelDelivery,
  type ChannelMessage,
  type ChannelRequest,
  type ChannelSite,
  type ChannelType,
} from './channels/channel-type.ts';
export { backfillText } from './operations/backfill-text.ts';
export { gameMetadata, TITLES_PER_PAGE, type GameMetadata } from './operations/games.ts';
export { ICON_BYTES_MAX, ICON_SIZE } from './operations/icons.ts';
export * from './messages/message-type.ts';
export * from './messages/observations.ts';
export * from './messages/facts.ts';
export * from './messages/backfill-messages.ts';
export * from './messages/source-messages.ts';
export * from './messages/icon-messages.ts';
export * from './messages/board-messages.ts';
export * from './messages/event-messages.ts';
export * from './messages/user-messages.ts';
export * from './messages/player-messages.ts';
export * from './messages/reputation-messages.ts';
export { allMessages, messagesByKey } from './messages/index.ts';
export * from './stream.ts';
