import { crc32 } from 'node:zlib';
import { samplePdf, samplePng } from '@chirality/testing';
import type { Attachment, Page, Session, Turn } from '@chirality/contracts';
import { findings } from './support/axe';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(240_000);

const PLACE = 'GPSLatitude 52.5';

/** A photograph as a camera writes it: large, and with the place in it. */
async function photograph({ page }: Dashboard, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    ([w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const context = canvas.getContext('2d')!;
      context.fillStyle = '#2a6';
      context.fillRect(0, 0, w!, h!);
      return canvas.toDataURL('image/jpeg').split(',')[1]!;
    },
    [width, height],
  );
  const jpeg = Buffer.from(base64, 'base64');
  const exif = Buffer.from(`Exif\0\0${PLACE}`);
  const header = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), header, exif, jpeg.subarray(2)]);
}

const block = (data: Buffer) => Buffer.concat([Buffer.from([data.length]), data]);

/** Two pictures of one point, with the place and a name in a comment and in XMP. */
function movingGif(): Buffer {
  const frame = Buffer.from('21f9040000000000' + '2c0000000001000100' + '00' + '02' + '024401' + '00', 'hex');
  return Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    Buffer.from([0x21, 0xff]),
    block(Buffer.from('NETSCAPE2.0')),
    block(Buffer.from([1, 0, 0])),
    Buffer.from([0, 0x21, 0xfe]),
    block(Buffer.from(PLACE)),
    Buffer.from([0, 0x21, 0xff]),
    block(Buffer.from('XMP DataXMP')),
    Buffer.from(`<x:xmpmeta>${PLACE}</x:xmpmeta>`),
    Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]),
    frame,
    frame,
    Buffer.from([0x3b]),
  ]);
}

/** A PNG with the place in a text and in EXIF. */
function pngWithPlace(): Buffer {
  const png = samplePng(20, 10);
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const [text, exif] = [chunk('tEXt', Buffer.from(`Comment\0${PLACE}`)), chunk('eXIf', Buffer.from(`MM\0*${PLACE}`))];
  return Buffer.concat([png.subarray(0, 33), text, exif, png.subarray(33)]);
}

/** A JPEG that a camera held on its side: its EXIF says to turn it, and three places name where it was. */
async function turnedPhotograph(me: Dashboard): Promise<Buffer> {
  const jpeg = await photograph(me, 60, 20);
  const turned = Buffer.from('45786966000049492a0008000000010012010300010000000600000000000000', 'hex');
  const segment = (marker: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data]);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, turned),
    segment(0xed, Buffer.from(`Photoshop 3.0\0${PLACE}`)),
    segment(0xfe, Buffer.from(PLACE)),
    jpeg.subarray(2),
  ]);
}

/** A WebP file as a browser writes it, with EXIF behind its picture. */
async function webpWithPlace({ page }: Dashboard): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 24, height: 12 });
    canvas.getContext('2d')!.fillRect(0, 0, 12, 12);
    return canvas.toDataURL('image/webp').split(',')[1]!;
  });
  const exif = Buffer.from(`EXIF\x10\0\0\0${PLACE}  `, 'latin1').subarray(0, 24);
  const webp = Buffer.concat([Buffer.from(base64, 'base64'), exif]);
  webp.writeUInt32LE(webp.length - 8, 4);
  return webp;
}

/** What a browser does when files are pasted or dropped. */
async function giveFile({ page }: Dashboard, how: 'paste' | 'drop', name: string, type: string, content: Buffer) {
  await page.evaluate(
    ([event, fileName, fileType, base64]) => {
      const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], fileName!, { type: fileType! }));
      const target = document.querySelector('#composer, [aria-label="First message"]')!;
      const options = { bubbles: true, cancelable: true };
      if (event === 'paste') target.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
      else target.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }));
    },
    [how, name, type, content.toString('base64')],
  );
}

describe('files of a message', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const chips = ({ page }: Dashboard) =>
    page.getByRole('list', { name: 'Files of this message' }).getByRole('listitem');
  const uploaded = async (me: Dashboard, count: number) => {
    await me.page.waitForFunction(
      (wanted) => {
        const list = document.querySelector('[aria-label="Files of this message"]');
        return list?.children.length === wanted && list.querySelector('[role=progressbar]') === null;
      },
      count,
      { polling: 50 },
    );
  };
  const turnsOf = async (sessionId: string) =>
    (await product.owner.call<{ data: Turn[] }>('GET', `/v1/sessions/${sessionId}/turns`)).body.data;
  const bytesOf = async (sessionId: string, { id }: Attachment) => {
    const response = await fetch(`${product.stack.url}/v1/sessions/${sessionId}/attachments/${id}`, {
      headers: { authorization: `Bearer ${product.owner.token}` },
    });
    return Buffer.from(await response.arrayBuffer());
  };

  it('are picked, pasted and dropped, survive a reload, and are seen by everyone once they are sent', async () => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.page.getByLabel('Files to attach').setInputFiles([
      { name: 'Berlin.jpg', mimeType: 'image/jpeg', buffer: await photograph(me, 3_000, 1_500) },
      { name: 'paper.pdf', mimeType: 'application/pdf', buffer: samplePdf() },
    ]);
    await giveFile(me, 'paste', 'image.png', 'image/png', samplePng(40, 30));
    await giveFile(me, 'drop', 'data.csv', 'text/csv', Buffer.from('a,b\n1,2\n'));
    await giveFile(me, 'drop', 'mistake.txt', 'text/plain', Buffer.from('not this one'));
    await uploaded(me, 5);
    await me.composer.fill('[[text "I see them."]]');
    await me.page.getByRole('button', { name: 'Remove mistake.txt' }).click();
    expect(await findings(me)).toEqual([]);

    await me.page.reload();
    await me.composer.waitFor();
    await uploaded(me, 4);
    expect((await chips(me).allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Berlin.jpg',
      'paper.pdf',
      'image.png',
      'data.csv',
    ]);
    expect(await me.composer.inputValue()).toBe('[[text "I see them."]]');
    await me.composer.press('Enter');
    await me.waitForEnds(1);
    expect(await chips(me).count()).toBe(0);

    const [turn] = await turnsOf(sessionId);
    expect(turn).toMatchObject({ status: 'completed', text: 'I see them.' });
    expect(turn?.attachments.map(({ name, kind, width, height }) => [name, kind, width, height])).toEqual([
      ['Berlin.jpg', 'image', 2_000, 1_000],
      ['paper.pdf', 'document', undefined, undefined],
      ['image.png', 'image', 40, 30],
      ['data.csv', 'file', undefined, undefined],
    ]);
    const photo = await bytesOf(sessionId, turn!.attachments[0]!);
    expect([photo.includes('Exif'), photo.includes(PLACE)]).toEqual([false, false]);

    const other = await product.openSignedIn(await product.newMember('Bo'));
    await other.openSession(sessionId);
    const files = other.conversation.getByRole('list', { name: 'Attached files' });
    await files.getByRole('listitem').nth(3).waitFor();
    expect(await files.getByRole('listitem').count()).toBe(4);
    await files.getByRole('button', { name: 'Show picture Berlin.jpg' }).locator('img').waitFor();
    await files.getByRole('button', { name: /^Show document paper\.pdf/ }).click();
    await other.page.getByRole('region', { name: 'Page 1 of paper.pdf' }).locator('canvas').waitFor();
    expect(await findings(other)).toEqual([]);
    await other.page.keyboard.press('Escape');
    expect(await findings(other)).toEqual([]);
    await files.getByRole('button', { name: 'Show picture Berlin.jpg' }).click();
    const picture = other.page.getByRole('dialog').getByRole('img', { name: 'Berlin.jpg' });
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
      2_000, 1_000,
    ]);
    expect(await findings(other)).toEqual([]);
    await other.page.keyboard.press('Escape');
    const [download] = await Promise.all([
      other.page.waitForEvent('download'),
      files.getByRole('button', { name: /^Download data\.csv/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('data.csv');
  });

  it('may be all of a message, are refused with what to do, and come back with a message that failed', async () => {
    const me = await product.openSignedIn(undefined, { viewport: { width: 390, height: 780 }, hasTouch: true });
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.page.getByRole('button', { name: 'Attach files' }).waitFor();
    const send = me.page.getByRole('button', { name: 'Send', exact: true });
    await me.page.getByLabel('Files to attach').setInputFiles([
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
      { name: 'broken.png', mimeType: 'image/x-none', buffer: samplePng() },
    ]);
    await me.page.getByText('A file may have at most 10.0 MB.').waitFor();
    await uploaded(me, 2);
    expect(await send.isDisabled()).toBe(true);
    expect(await me.overflowsSideways()).toBe(false);
    expect(await findings(me)).toEqual([]);
    await me.page.getByRole('button', { name: 'Remove large.bin' }).click();
    const refusal = 'messages.0.content.0.image.source.base64: Could not process image';
    await me.composer.fill(`[[error 400 message="${refusal}"]]`);
    await send.click();
    await me.waitForEnds(1);
    await me.conversation.getByText('The model’s service could not use “broken.png”.').waitFor();
    expect(await me.overflowsSideways()).toBe(false);
    await me.page.getByRole('button', { name: 'Edit & retry' }).click();
    await uploaded(me, 1);
    await me.composer.fill('');
    await send.click();
    await me.waitForEnds(2);
    const [turn] = await turnsOf(sessionId);
    expect(turn).toMatchObject({ status: 'completed', message: '', attachments: [{ name: 'broken.png' }] });
  });

  it('start a session, wait in the browser until there is one, and say nothing of where they were made', async () => {
    const project = await product.owner.createProject('Harbour');
    const me = await product.openSignedIn(undefined, { viewport: { width: 390, height: 780 }, hasTouch: true });
    const { page } = me;
    await page.goto(`${me.url}/projects/${project.id}`);
    const field = page.getByRole('textbox', { name: 'First message' });
    await field.waitFor();
    await page.getByLabel('Files to attach').setInputFiles([
      { name: 'moving.gif', mimeType: 'image/gif', buffer: movingGif() },
      { name: 'turned.jpg', mimeType: 'image/jpeg', buffer: await turnedPhotograph(me) },
      { name: 'nameless', mimeType: '', buffer: await webpWithPlace(me) },
    ]);
    await uploaded(me, 3);
    await giveFile(me, 'paste', 'shot.png', 'image/png', pngWithPlace());
    await giveFile(me, 'drop', 'data.csv', 'text/csv', Buffer.from('a,b\n'));
    await uploaded(me, 5);
    await field.fill('[[text "Begun."]]');
    expect(await me.overflowsSideways()).toBe(false);
    expect(await findings(me)).toEqual([]);
    await page.reload();
    await field.waitFor();
    await uploaded(me, 5);

    const start = page.getByRole('button', { name: 'Start session' });
    await page.route('**/attachments?name=shot.png', (route) => route.abort());
    await start.click();
    await page.getByRole('alert').filter({ hasText: 'Nothing was sent' }).waitFor();
    expect([await field.inputValue(), await chips(me).count()]).toEqual(['[[text "Begun."]]', 5]);
    expect(await findings(me)).toEqual([]);
    await page.unroute('**/attachments?name=shot.png');
    await start.click();
    await page.waitForURL(/\/sessions\//);
    await me.waitForEnds(1);
    const list = await product.owner.call<Page<Session>>('GET', `/v1/sessions?projectId=${project.id}`);
    expect(list.body.data).toHaveLength(1);
    const sessionId = list.body.data[0]!.id;
    const [turn] = await turnsOf(sessionId);
    expect(turn).toMatchObject({ status: 'completed', text: 'Begun.' });
    expect(turn?.attachments.map(({ name, mediaType, width, height }) => [name, mediaType, width, height])).toEqual([
      ['moving.gif', 'image/gif', 1, 1],
      ['turned.jpg', 'image/jpeg', 20, 60],
      ['nameless.png', 'image/png', 24, 12],
      ['shot.png', 'image/png', 20, 10],
      ['data.csv', 'text/plain', undefined, undefined],
    ]);
    const contents = await Promise.all(turn!.attachments.map((attachment) => bytesOf(sessionId, attachment)));
    expect(contents.map((content) => content.includes(PLACE))).toEqual(Array(5).fill(false));
    expect([contents[0]!.includes('XMP'), contents[0]!.includes('NETSCAPE2.0')]).toEqual([false, true]);
    // Both pictures of the animation.
    expect(contents[0]!.toString('hex').match(/2c0000000001000100/g)).toHaveLength(2);
    await page.goto(`${me.url}/projects/${project.id}`);
    await field.waitFor();
    expect([await field.inputValue(), await chips(me).count()]).toEqual(['', 0]);
  });
});
