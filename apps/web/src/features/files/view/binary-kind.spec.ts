import { binaryKind } from './binary-kind';

describe('what a file is by its bytes', () => {
  it.each<[string, string | null]>([
    ['\x89PNG\r\n\x1a\nrest', 'image/png'],
    ['\xff\xd8\xff\xe0rest', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVE', null],
    ['%PDF-1.7', 'application/pdf'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
    ['<html>', null],
    ['', null],
  ])('%j is %s', (bytes, kind) => {
    expect(binaryKind({ encoding: 'base64', content: btoa(bytes) })).toBe(kind);
  });

  it('is known of a PDF that is all of text too', () => {
    expect(binaryKind({ encoding: 'utf8', content: '%PDF-1.4\n' })).toBe('application/pdf');
  });
});
