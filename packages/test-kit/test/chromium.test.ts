import { findChromium } from '../src/chromium.ts';

const onMachineWith =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);

describe('findChromium', () => {
  it('prefers the program that CHROMIUM_PATH names', () => {
    const exists = onMachineWith('/opt/chromium', '/usr/bin/chromium');
    expect(findChromium({ CHROMIUM_PATH: '/opt/chromium' }, exists)).toBe('/opt/chromium');
  });

  it('returns undefined if CHROMIUM_PATH names a missing file', () => {
    expect(findChromium({ CHROMIUM_PATH: '/opt/chromium' }, onMachineWith('/usr/bin/chromium'))).toBeUndefined();
  });

  it('searches the PATH, then /usr/bin', () => {
    const env = { PATH: '/home/me/bin:/opt/bin' };
    expect(findChromium(env, onMachineWith('/opt/bin/chromium', '/usr/bin/chromium'))).toBe('/opt/bin/chromium');
    expect(findChromium(env, onMachineWith('/usr/bin/google-chrome'))).toBe('/usr/bin/google-chrome');
  });

  it('prefers Chromium to Chrome', () => {
    const exists = onMachineWith('/opt/bin/google-chrome', '/usr/bin/chromium-browser');
    expect(findChromium({ PATH: '/opt/bin' }, exists)).toBe('/usr/bin/chromium-browser');
  });

  it('returns undefined if no browser is installed', () => {
    expect(findChromium({ PATH: '/opt/bin', CHROMIUM_PATH: '' }, onMachineWith())).toBeUndefined();
  });
});
