import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what the store keeps of endpoints. */
export interface SealedBox {
  /** @param context must be the same when it is opened */
  seal(text: string, context: string): string;
  /** @returns undefined if it was sealed with another key or context, or was changed */
  open(sealed: string, context: string): string | undefined;
  /** Equal for equal texts, which it does not reveal. */
  mark(text: string): string;
}

const ALGORITHM = 'aes-256-gcm';
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

/** AES-256-GCM with a random nonce. The key is derived with HKDF-SHA256, so that `secret` is used for nothing else. */
export function sealedBox(secret: string): SealedBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'lobbystats channels', KEY_BYTES));
  return {
    mark: (text) => createHmac('sha256', key).update(text).digest('base64url'),
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
      const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64');
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64');
      const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
      try {
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(context))
          .setAuthTag(tag);
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
