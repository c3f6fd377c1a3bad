import { jsonBytes, longestWithin } from './reply-budget';

type EncodedContent = { encoding: 'utf8' | 'base64'; content: string; truncated: boolean };

/**
 * The bytes of a file as text where they are UTF-8, else as base64; at most `limitBytes` as JSON. A cut is never inside
 * a character. `more`: the file continues after these bytes, so an unfinished character at their end is no fault.
 */
export function encodeContent(bytes: Buffer, more: boolean, limitBytes: number): EncodedContent {
  const text = decodeUtf8(bytes, more);
  if (text === null) return encodeBase64(bytes, more, limitBytes);
  const characters = longestWithin(text.length, limitBytes, (length) => jsonBytes(text.slice(0, length)));
  const end = isHighSurrogate(text, characters - 1) && characters < text.length ? characters - 1 : characters;
  return { encoding: 'utf8', content: text.slice(0, end), truncated: more || end < text.length };
}

/**
 * As much of the bytes as fits into `limitBytes` of JSON, and how many bytes that is: up to the end of a line where one
 * ends, else of a character. What is not UTF-8 is shown as replacement characters.
 */
export function encodeText(bytes: Buffer, limitBytes: number): { text: string; bytes: number } {
  const whole = bytes.toString('utf8');
  if (jsonBytes(whole) <= limitBytes) return { text: whole, bytes: bytes.length };
  const fits = longestWithin(bytes.length, limitBytes, (length) => jsonBytes(bytes.toString('utf8', 0, length)));
  const line = bytes.lastIndexOf('\n', fits - 1) + 1;
  let end = line > 0 ? line : fits;
  while (line === 0 && end > 1 && isContinuation(bytes[end])) end -= 1;
  return { text: bytes.toString('utf8', 0, end), bytes: end };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function encodeBase64(bytes: Buffer, more: boolean, limitBytes: number): EncodedContent {
  const kept = bytes.subarray(0, Math.floor((limitBytes - 2) / 4) * 3);
  return { encoding: 'base64', content: kept.toString('base64'), truncated: more || kept.length < bytes.length };
}

function decodeUtf8(bytes: Buffer, more: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: more });
  } catch {
    return null;
  }
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
