const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 random characters (130 bits). Works on pages without a secure context too, where `randomUUID` is missing. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}
