import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';

export const profileSsrf: SharedDrill = {
  number: 22,
  name: 'internal addresses in a profile (SSRF)',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [user] = stage.users;
    const trap = await stage.trap();
    const statuses: Record<number, number> = {};
    try {
      const links = trap.addresses.flatMap((address) => [
        { avatar_url: `https://${address}/a.png` },
        { avatar_url: `http://${address}/a.png` },
        { avatar_url: `https://user@${address}/%2e%2e/` },
        { discord_profile_url: `https://${address}/users/12345678901234567` },
        { discord_profile_url: `https://discord.com@${address}/users/12345678901234567` },
        { discord_profile_url: `https://discord.com/users/12345678901234567@${address}` },
        { discord_profile_url: `https://discord.com/users/../../${address}` },
        { social_links: [{ platform: 'site', url: `https://${address}/`, label: null }] },
      ]);
      for (const fields of links) {
        const { status } = await user.update(fields);
        expect([fields, [200, 400, 403].includes(status)]).toEqual([fields, true]);
        if ('discord_profile_url' in fields) expect([fields, status]).toEqual([fields, 400]);
        statuses[status] = (statuses[status] ?? 0) + 1;
        await stage.request(pathTo(operations.getProfile.path, user.username));
      }
      expect(await trap.connections()).toBe(0);
      return [
        `${links.length} changes of a profile (${Object.entries(statuses)
          .map(([status, count]) => `${count} times ${status}`)
          .join(', ')}) under ${trap.addresses.length} names of one place, each read again: 0 connections came there`,
      ];
    } finally {
      await user.update({ avatar_url: null });
      await trap.close();
    }
  },
};
