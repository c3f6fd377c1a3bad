/** So that a scanner knows one wherever it stands. */
const PREFIX = 'chi_';
const RANDOM_CHARACTERS = 40;
const CHECK_CHARACTERS = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECK_CHARACTERS}})$`);

/** True for what claims to be a token of ours, in whatever state: it is not to be read as anything else. */
export function isTokenValue(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * A new value from random bytes, of which `TOKEN_RANDOM_BYTES` are needed: 40 letters and digits (more than 200 bits),
 * and a checksum (CRC-32, base 62) that a scanner can verify without asking.
 */
export function tokenValueOf(random: Uint8Array): string {
  const body = [...random]
    // Bytes beyond the last whole multiple of 62 would prefer the first letters.
    .filter((byte) => byte < 248)
    .slice(0, RANDOM_CHARACTERS)
    .map((byte) => ALPHABET[byte % 62])
    .join('');
  if (body.length < RANDOM_CHARACTERS) throw new RangeError('too few random bytes for a token');
  return `${PREFIX}${body}${checksumOf(body)}`;
}

/** Enough that practically never too few of them are usable. */
export const TOKEN_RANDOM_BYTES = 80;

/** Whether the value is whole: a mistyped or cut one is not looked up. */
export function isWholeTokenValue(value: string): boolean {
  const [, body, check] = FORM.exec(value) ?? [];
  return body !== undefined && checksumOf(body) === check;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < CHECK_CHARACTERS; digit += 1) {
    text = `${ALPHABET[rest % 62]}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** CRC-32 as in zip and PNG, of ASCII. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
