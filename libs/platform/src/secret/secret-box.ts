import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/** A 32-byte key for one purpose (HKDF-SHA256): keys of different purposes tell nothing about each other. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `chirality/${purpose}`, 32));
}

/** Thrown by `open` for a box that is damaged, was sealed for something else, or by a key that is not known here. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

type BoxKey = { id: Buffer; key: Buffer };

function boxKey(secret: Buffer): BoxKey {
  const key = deriveKey(secret, 'secret-box');
  return { id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES), key };
}

/**
 * Authenticated encryption (AES-256-GCM) of small secrets at rest. Seals with the current key and opens what it or
 * an earlier key sealed, so that a key is rotated while the service runs. `aad` names what the secret belongs to
 * (for example `credential:key_01J…`): a box moved to another row does not open.
 */
export class SecretBox {
  private readonly current: BoxKey;
  private readonly known: BoxKey[];

  constructor(secret: Buffer, earlierSecrets: Buffer[] = []) {
    this.current = boxKey(secret);
    this.known = [this.current, ...earlierSecrets.map(boxKey)];
  }

  seal(plaintext: string | Buffer, aad: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.key, nonce);
    const header = Buffer.concat([Buffer.from([VERSION]), this.current.id, nonce]);
    cipher.setAAD(Buffer.concat([header, Buffer.from(aad)]));
    const sealed = Buffer.concat([cipher.update(plaintext as Buffer), cipher.final()]);
    return Buffer.concat([header, sealed, cipher.getAuthTag()]);
  }

  /** Throws SecretBoxError; its message never quotes the content. */
  open(box: Uint8Array, aad: string): Buffer {
    const bytes = Buffer.from(box.buffer, box.byteOffset, box.byteLength);
    if (bytes.length < HEADER_BYTES + TAG_BYTES || bytes[0] !== VERSION) throw new SecretBoxError('not a sealed box');
    const header = bytes.subarray(0, HEADER_BYTES);
    const key = this.known.find(({ id }) => id.equals(header.subarray(1, 1 + KEY_ID_BYTES)));
    if (!key) throw new SecretBoxError('sealed by a key that is not configured here');
    const decipher = createDecipheriv('aes-256-gcm', key.key, header.subarray(1 + KEY_ID_BYTES));
    decipher.setAAD(Buffer.concat([header, Buffer.from(aad)]));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
    } catch {
      throw new SecretBoxError('damaged, or sealed for something else');
    }
  }

  /** True when the box was sealed by an earlier key and wants sealing again. */
  isOutdated(box: Uint8Array): boolean {
    return !this.current.id.equals(Buffer.from(box).subarray(1, 1 + KEY_ID_BYTES));
  }
}
