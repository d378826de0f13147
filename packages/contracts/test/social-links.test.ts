import { operations } from '@lobbystats/contracts';

const isAccepted = (platform: string, url: string) =>
  operations.updateProfile.body?.safeParse({ social_links: [{ platform, url }] }).success;

describe('social links of known platforms', () => {
  it.each([
    ['twitch', 'https://www.twitch.tv/ember'],
    ['Twitch ', 'https://TWITCH.tv'],
    ['youtube', 'https://music.youtube.com/@ember?si=x'],
    ['youtube', 'https://youtu.be/x'],
    ['x', 'https://x.com/ember'],
    ['x', 'https://twitter.com/ember'],
    ['twitter', 'https://mobile.twitter.com/ember'],
    ['twitter', 'https://x.com/ember'],
    ['github', 'https://github.com/ember'],
    ['steam', 'https://steamcommunity.com/id/ember'],
    ['steam', 'https://store.steampowered.com/'],
    ['instagram', 'https://www.instagram.com/ember'],
    ['tiktok', 'https://www.tiktok.com/@ember'],
    ['bluesky', 'https://bsky.app/profile/ember'],
  ])('accepts a %s link to %s', (platform, url) => {
    expect(isAccepted(platform, url)).toBe(true);
  });

  it.each([
    ['twitch', 'https://example.com/twitch.tv'],
    ['twitch', 'https://twitch.tv.example.com/'],
    ['twitch', 'https://nottwitch.tv/'],
    ['twitch', 'https://twіtch.tv/'],
    ['github', 'https://ember.github.io/'],
    ['YouTube', 'https://example.com/?to=youtube.com'],
    ['x', 'https://example.com#x.com'],
  ])('rejects a %s link to another host: %s', (platform, url) => {
    expect(isAccepted(platform, url)).toBe(false);
  });
});

describe('social links of other platforms', () => {
  it.each([
    ['mastodon', 'https://social.example.org/@ember'],
    ['site', 'https://ember.example.com/'],
    ['constructor', 'https://example.com/'],
  ])('accepts a %s link to any host: %s', (platform, url) => {
    expect(isAccepted(platform, url)).toBe(true);
  });
});
