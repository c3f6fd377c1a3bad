import { samplePdf, samplePng } from '@chirality/testing';
import type { Attachment, Turn } from '@chirality/contracts';
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

/** What a browser does when files are pasted or dropped. */
async function giveFile({ page }: Dashboard, how: 'paste' | 'drop', name: string, type: string, content: Buffer) {
  await page.evaluate(
    ([event, fileName, fileType, base64]) => {
      const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], fileName!, { type: fileType! }));
      const target = document.getElementById('composer')!;
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
    expect(await files.getByRole('listitem').count()).toBe(4);
    await files.getByRole('button', { name: 'Show picture Berlin.jpg' }).locator('img').waitFor();
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
    await me.conversation.getByText('The model’s service could not use “broken.jpg”.').waitFor();
    expect(await me.overflowsSideways()).toBe(false);
    await me.page.getByRole('button', { name: 'Edit & retry' }).click();
    await uploaded(me, 1);
    await me.composer.fill('');
    await send.click();
    await me.waitForEnds(2);
    const [turn] = await turnsOf(sessionId);
    expect(turn).toMatchObject({ status: 'completed', message: '', attachments: [{ name: 'broken.jpg' }] });
  });
});
