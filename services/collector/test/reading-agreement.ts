import { UnparseablePageError } from '../src/network/page-failures.ts';
import { inAscii } from './written-numbers.ts';

/** A rating is any text that is shown, but never two numbers put together. */
function isShownRating(rating: string, shown: string): boolean {
  const [digits, other] = [inAscii(shown).replace(/\D/g, ''), '7'];
  return inAscii(rating)
    .split(/[^\d,.'’ ]+| (?=7)|(?<=7) /)
    .every((part) => {
      const number = part.replace(/\D/g, '');
      return number !== digits + other && number !== other + digits;
    });
}

export function unlessRefused(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof UnparseablePageError) return 'refused';
    throw error;
  }
}

/** Whether a reading agrees with the page: texts and activities may be unknown, but never others. */
export function agrees(read: unknown, expected: unknown): boolean {
  if (read === null || read === '') return true;
  if (typeof read !== 'object' || typeof expected !== 'object' || expected === null) return Object.is(read, expected);
  const keys = Object.keys(read);
  if (Array.isArray(read) && keys.length !== Object.keys(expected).length) return false;
  return keys.every((key) => {
    const [own, other] = [read, expected].map((each) => (each as Record<string, unknown>)[key]);
    return key === 'rating' ? isShownRating(String(own), String(other)) : agrees(own, other);
  });
}
