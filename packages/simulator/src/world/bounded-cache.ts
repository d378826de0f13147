/**
 * Returns the value of a key, computed when it is missing, as the newest one; then removes the oldest values while
 * `isFull`, except this one.
 */
export function cached<Key, Value>(
  cache: Map<Key, Value>,
  key: Key,
  compute: () => Value,
  isFull: () => boolean,
): Value {
  const value = cache.get(key) ?? compute();
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (oldest === key || !isFull()) break;
    cache.delete(oldest);
  }
  return value;
}
