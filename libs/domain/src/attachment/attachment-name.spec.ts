import { attachmentName, freeAttachmentName } from './attachment-name';

const bytes = (text: string) => new TextEncoder().encode(text).length;

it.each([
  ['data.csv', 'data.csv'],
  ['日本語.md', '日本語.md'],
  ['👩‍💻.ts', '👩‍💻.ts'],
  ['a"b\'.txt', 'a"b\'.txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\photo.png', 'photo.png'],
  ['dir/', 'dir'],
  ['', 'file'],
  ['..', 'file'],
  ['/', 'file'],
  [' \t ', 'file'],
  ['new\nline\0.txt', 'new_line_.txt'],
  ['cod\u202egnp.exe', 'cod_gnp.exe'],
  ['\ud800.txt', '\ufffd.txt'],
  ['.env', '.env'],
])('%j is named %j', (given, name) => {
  expect(attachmentName(given)).toBe(name);
});

it('cuts what is too long for a file system and keeps the ending', () => {
  const name = attachmentName(`${'語'.repeat(200)}.tar.gz`);
  expect(name).toMatch(/^語+\.tar\.gz$/);
  expect(bytes(name)).toBeLessThanOrEqual(180);
  expect(bytes(attachmentName('x'.repeat(1_000)))).toBe(180);
});

it('numbers what is taken before the ending', () => {
  expect(freeAttachmentName('image.png', new Set())).toBe('image.png');
  expect(freeAttachmentName('image.png', new Set(['image.png']))).toBe('image-2.png');
  expect(freeAttachmentName('image.png', new Set(['image.png', 'image-2.png']))).toBe('image-3.png');
  expect(freeAttachmentName('Makefile', new Set(['Makefile']))).toBe('Makefile-2');
  expect(freeAttachmentName('.env', new Set(['.env']))).toBe('.env-2');
  const long = 'x'.repeat(180);
  expect(bytes(freeAttachmentName(long, new Set([long])))).toBe(180);
});
