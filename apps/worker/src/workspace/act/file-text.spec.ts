import fc from 'fast-check';
import { encodeContent } from './file-text';

describe('the content of a file in a reply', () => {
  it('is text when it is UTF-8, with NUL, BOM and all', () => {
    const text = '\uFEFFa\0b é 🎉\r\n';
    expect(encodeContent(Buffer.from(text), false, 1_000)).toEqual({
      encoding: 'utf8',
      content: text,
      truncated: false,
    });
  });

  it('is base64 when it is not', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    expect(encodeContent(bytes, false, 1_000)).toEqual({
      encoding: 'base64',
      content: bytes.toString('base64'),
      truncated: false,
    });
  });

  it('ends before a character that was cut when the file continues', () => {
    const bytes = Buffer.from('ab🎉').subarray(0, 4);
    expect(encodeContent(bytes, true, 1_000)).toEqual({ encoding: 'utf8', content: 'ab', truncated: true });
    expect(encodeContent(bytes, false, 1_000).encoding).toBe('base64');
  });

  it('counts what the escapes of JSON add', () => {
    const { content, truncated } = encodeContent(Buffer.alloc(1_000, 1), false, 602);
    expect({ length: content.length, truncated }).toEqual({ length: 100, truncated: true });
  });

  it('never exceeds the limit, never cuts a character, and is a prefix', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 2, max: 300 }), (text, limit) => {
        const { content, encoding } = encodeContent(Buffer.from(text), false, limit);
        expect(encoding).toBe('utf8');
        expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThanOrEqual(limit);
        expect(text.startsWith(content)).toBe(true);
        expect(Buffer.from(content).toString()).toBe(content);
      }),
    );
  });
});
