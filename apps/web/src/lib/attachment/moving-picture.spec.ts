import { bareGif, bareMovingPng, bareMovingWebp, isHeic, pictureType } from './moving-picture';

const text = (value: string) => Buffer.from(value, 'latin1');
const block = (data: Buffer) => Buffer.concat([Buffer.from([data.length]), data]);
const end = Buffer.from([0]);

const SCREEN = Buffer.concat([text('GIF89a'), Buffer.from([1, 0, 1, 0, 0x80, 0, 0]), Buffer.alloc(6, 7)]);
const LOOP = Buffer.concat([Buffer.from([0x21, 0xff]), block(text('NETSCAPE2.0')), block(Buffer.from([1, 0, 0])), end]);
const COMMENT = Buffer.concat([Buffer.from([0x21, 0xfe]), block(text('Taken at GPS 52.5')), end]);
/** XMP stands in a GIF without blocks; 258 bytes behind it lead every reader to the end. */
const XMP = Buffer.concat([
  Buffer.from([0x21, 0xff]),
  block(text('XMP DataXMP')),
  text('<x:xmpmeta>Ada Lovelace</x:xmpmeta>'),
  Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]),
]);
const PLAIN_TEXT = Buffer.concat([Buffer.from([0x21, 0x01]), block(Buffer.alloc(12)), block(text('words')), end]);
const frame = (colour: number) =>
  Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]),
    block(Buffer.from([0x4c, colour])),
    end,
  ]);
const TRAILER = Buffer.from([0x3b]);

describe('a GIF', () => {
  it('keeps its pictures, their times and that they repeat, and nothing that was written beside them', () => {
    const gif = Buffer.concat([SCREEN, LOOP, COMMENT, XMP, frame(1), PLAIN_TEXT, COMMENT, frame(2), TRAILER, COMMENT]);
    expect(Buffer.from(bareGif(gif)!)).toEqual(Buffer.concat([SCREEN, LOOP, frame(1), frame(2), TRAILER]));
  });

  it('gets the end that it lacks', () => {
    expect(Buffer.from(bareGif(Buffer.concat([SCREEN, frame(1)]))!)).toEqual(
      Buffer.concat([SCREEN, frame(1), TRAILER]),
    );
  });

  it.each([
    ['breaks off within a picture', Buffer.concat([SCREEN, frame(1).subarray(0, -2)])],
    ['has no picture', Buffer.concat([SCREEN, COMMENT, TRAILER])],
    ['has a block of no kind', Buffer.concat([SCREEN, Buffer.from([0x55, 0]), frame(1), TRAILER])],
    ['is a start alone', text('GIF89a')],
  ])('is left to be drawn where it %s', (_, gif) => {
    expect(bareGif(gif)).toBeNull();
  });
});

describe('a WebP file', () => {
  const chunk = (name: string, data: Buffer) => {
    const head = Buffer.concat([text(name), Buffer.alloc(4)]);
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const webp = (flags: number, ...chunks: Buffer[]) => {
    const all = Buffer.concat([
      text('RIFF....WEBP'),
      chunk('VP8X', Buffer.from([flags, ...Buffer.alloc(9)])),
      ...chunks,
    ]);
    all.writeUInt32LE(all.length - 8, 4);
    return all;
  };
  const [anim, picture] = [chunk('ANIM', Buffer.alloc(6)), chunk('ANMF', Buffer.alloc(17, 3))];

  it('that moves keeps its pictures, without EXIF, XMP and what no one knows', () => {
    const exif = chunk('EXIF', text('GPS 52.5'));
    const found = bareMovingWebp(webp(0x0e, anim, picture, exif, chunk('XMP ', text('Ada')), chunk('Wow!', text('1'))));
    expect(Buffer.from(found!)).toEqual(webp(0x02, anim, picture));
  });

  it('is left to be drawn where it does not move, or is broken', () => {
    expect(bareMovingWebp(webp(0x0c, picture))).toBeNull();
    expect(bareMovingWebp(webp(0x02, anim, picture).subarray(0, -4))).toBeNull();
  });
});

describe('a PNG', () => {
  const chunk = (name: string, data = Buffer.alloc(0)) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, text(name), data, Buffer.from('sums')]);
  };
  const png = (...chunks: Buffer[]) => Buffer.concat([text('\x89PNG\r\n\x1a\n'), ...chunks]);
  const [head, times, end] = [chunk('IHDR', Buffer.alloc(13, 1)), chunk('acTL', Buffer.alloc(8)), chunk('IEND')];
  const frames = [
    ...[chunk('fcTL', Buffer.alloc(26)), chunk('IDAT', Buffer.alloc(5, 2))],
    ...[chunk('fcTL', Buffer.alloc(26)), chunk('fdAT', Buffer.alloc(9, 3))],
  ];

  it('that moves keeps its pictures and times, without EXIF, texts and what comes after its end', () => {
    const written = [chunk('eXIf', text('GPS 52.5')), chunk('tEXt', text('Author\0Ada')), chunk('tIME'), chunk('woWw')];
    const found = bareMovingPng(png(head, ...written, times, ...frames, ...written, end, text('more')));
    expect(Buffer.from(found!)).toEqual(png(head, times, ...frames, end));
  });

  it.each([
    ['does not move', png(head, chunk('IDAT'), end)],
    ['says so too late', png(head, chunk('IDAT'), times, end)],
    ['breaks off within a chunk', png(head, times, ...frames).subarray(0, -2)],
    ['has no end', png(head, times, ...frames)],
    ['is a start alone', png()],
  ])('is left to be drawn where it %s', (_, bytes) => {
    expect(bareMovingPng(bytes)).toBeNull();
  });
});

it.each([
  ['a phone’s picture', text('\0\0\0\x18ftypheic'), true],
  ['a sequence of them', text('\0\0\0\x18ftypmsf1'), true],
  ['a film', text('\0\0\0\x18ftypisom'), false],
  ['nothing', Buffer.alloc(0), false],
])('HEIC is known by its first bytes: %s', (_, bytes, is) => {
  expect(isHeic(bytes)).toBe(is);
});

it.each([
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
  ['a PNG', text('\x89PNG\r\n\x1a\nmore'), 'image/png'],
  ['a GIF', SCREEN, 'image/gif'],
  ['a WebP file', text('RIFF1234WEBPVP8 '), 'image/webp'],
  ['a text', text('GIF is a word'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s is known by its first bytes', (_, bytes, type) => {
  expect(pictureType(bytes)).toBe(type);
});
