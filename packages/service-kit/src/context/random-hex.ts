import { randomFillSync } from 'node:crypto';

/** Random bytes are fetched by the block: a few at a time cost many times as much. */
const block = Buffer.alloc(4096);
let digitsLeft = '';

/** So many random hexadecimal digits, in lower case. Not for secrets: they stay in memory for a while. */
export function randomHex(digits: number): string {
  if (digitsLeft.length < digits) digitsLeft = randomFillSync(block).toString('hex');
  const drawn = digitsLeft.slice(0, digits);
  digitsLeft = digitsLeft.slice(digits);
  return drawn;
}
