import { samplePdf, samplePng } from '@chirality/testing';
import { contentOf } from './attachment-content';
import { imageSize } from './image-size';

const jpeg = (...segments: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments]);
const segment = (marker: number, data: Buffer) => {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([header, data]);
};
const frame = (width: number, height: number) => {
  const data = Buffer.alloc(15);
  data.writeUInt16BE(height, 1);
  data.writeUInt16BE(width, 3);
  return segment(0xc2, data);
};
const webp = (form: string, fields: (head: Buffer) => void) => {
  const head = Buffer.alloc(40);
  head.write('RIFF', 0, 'latin1');
  head.write(`WEBP${form}`, 8, 'latin1');
  fields(head);
  return head;
};

describe('the size of a picture', () => {
  it.each<[string, Buffer, string, [number, number] | null]>([
    ['png', samplePng(300, 7), 'image/png', [300, 7]],
    ['gif', Buffer.from('GIF89a\x2c\x01\x07\x00\x00\x00', 'latin1'), 'image/gif', [300, 7]],
    ['jpeg', jpeg(segment(0xe0, Buffer.alloc(14)), frame(300, 7)), 'image/jpeg', [300, 7]],
    [
      'jpeg after what a camera wrote',
      jpeg(segment(0xe1, Buffer.alloc(60_000)), segment(0xc4, Buffer.alloc(30)), frame(300, 7)),
      'image/jpeg',
      [300, 7],
    ],
    ['jpeg without a frame', jpeg(segment(0xe1, Buffer.alloc(100))), 'image/jpeg', null],
    ['jpeg of nothing', jpeg(Buffer.alloc(100)), 'image/jpeg', null],
    [
      'lossy webp',
      webp('VP8 ', (head) => (head.writeUInt16LE(300, 26), head.writeUInt16LE(7, 28))),
      'image/webp',
      [300, 7],
    ],
    ['lossless webp', webp('VP8L', (head) => head.writeUInt32LE(299 | (6 << 14), 21)), 'image/webp', [300, 7]],
    [
      'extended webp',
      webp('VP8X', (head) => (head.writeUIntLE(299, 24, 3), head.writeUIntLE(6, 27, 3))),
      'image/webp',
      [300, 7],
    ],
    ['webp of another form', webp('NONE', () => undefined), 'image/webp', null],
    ['a cut one', samplePng(300, 7).subarray(0, 20), 'image/png', null],
    ['one without pixels', samplePng(0, 7), 'image/png', null],
    ['anything else', Buffer.alloc(100), 'image/tiff', null],
  ])('%s', (_what, head, mediaType, size) => {
    expect(imageSize(head, mediaType)).toEqual(size === null ? null : { width: size[0], height: size[1] });
  });
});

describe('what a file is', () => {
  it.each<[string, Buffer, object]>([
    ['a picture', samplePng(3, 2), { kind: 'image', mediaType: 'image/png', width: 3, height: 2 }],
    [
      'a picture that would fill the memory',
      samplePng(30_000, 4).fill(0x7f, 20, 22),
      { kind: 'file', mediaType: 'image/png' },
    ],
    ['a document', samplePdf(), { kind: 'document', mediaType: 'application/pdf' }],
    ['text that is cut in a character', Buffer.from('語').subarray(0, 2), { kind: 'file', mediaType: 'text/plain' }],
    ['no text', Buffer.from([0x80, 0x81, 0x82]), { kind: 'file', mediaType: 'application/octet-stream' }],
    ['nothing', Buffer.alloc(0), { kind: 'file', mediaType: 'text/plain' }],
  ])('%s', async (_what, head, content) => {
    expect(await contentOf(head)).toEqual(content);
  });
});
