import { readFileSync } from 'node:fs';
import { OWNER, writtenPdf } from '@chirality/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findings } from './support/axe';
import { BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(180_000);

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FILES = [
  'mkdir -p src',
  'seq 1 300 > src/a.ts',
  `printf %s ${PNG} | base64 -d > "日本 1.png"`,
  'cp "日本 1.png" fake.txt',
  "printf '%%PDF-1.7\\377' > paper.pdf",
  'echo "<svg onload=alert(1)></svg>" > x.svg',
].join('; ');
const ANSWER =
  'See `src/a.ts:242`, or src/a.ts:7 in a sentence, `/etc/passwd:1`, `none/gone.ts:3` and [the picture](./fake.txt).';

function fileTree(page: Page) {
  return page.getByRole('navigation', { name: 'Files', exact: true });
}

describe('files that leave a session and come in', () => {
  let product: BrowserStack;
  let sessionId: string;

  beforeAll(async () => {
    product = await BrowserStack.start();
    sessionId = await product.newSession();
    const command = `[[tool Bash ${JSON.stringify({ command: FILES })}]] [[text ${JSON.stringify(ANSWER)}]]`;
    const turn = await product.owner.send(sessionId, command, { autoApproveTools: ['Bash'] });
    expect(await product.owner.waitForEnd(sessionId, turn.id, 60_000)).toMatchObject({ status: 'completed' });
  });
  afterEach(async () => {
    expect(await product.closeWindows()).toEqual([]);
  });
  afterAll(() => product?.stop());

  async function openPanel(me: Dashboard): Promise<void> {
    await me.openSession(sessionId);
    await me.page.getByRole('button', { name: 'Files and changes' }).click();
    await fileTree(me.page).getByRole('button', { name: 'src' }).waitFor();
  }

  it('opens the file that an answer names, at its line, and never leaves the session', async () => {
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    const address = me.page.url();
    const link = (name: string) => me.conversation.getByRole('link', { name, exact: true });
    await link('src/a.ts:242').click();
    await me.page.getByRole('heading', { name: 'src/a.ts' }).waitFor();
    const mark = me.page.locator('[data-line="242"]');
    await mark.waitFor();
    const isSeen = await mark.evaluate((line) => {
      const { top } = line.getBoundingClientRect();
      return top > 0 && top < window.innerHeight;
    });
    expect(isSeen).toBe(true);
    await link('src/a.ts:7').click();
    await me.page.locator('[data-line="7"]').waitFor();
    await link('the picture').click();
    await me.page.getByRole('img', { name: 'fake.txt' }).waitFor();
    await link('none/gone.ts:3').click();
    await me.page.getByText('There is no such file or directory').waitFor();
    expect(await link('/etc/passwd:1').count()).toBe(0);
    expect(me.page.url().replace(/#$/, '')).toBe(address);
  });

  it('shows pictures by their bytes, says what can only be downloaded, and runs nothing of a file', async () => {
    const me = await product.openSignedIn();
    await openPanel(me);
    const tree = fileTree(me.page);
    const open = (name: RegExp) => tree.getByRole('button', { name }).click();
    const back = () => me.page.getByRole('button', { name: 'Back to the files' }).click();
    await open(/^日本 1\.png/);
    const picture = me.page.getByRole('img', { name: '日本 1.png' });
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1);
    await back();
    await open(/^paper\.pdf/);
    await me.page.getByText('This PDF is damaged or incomplete. Download it to open it.').waitFor();
    const [download] = await Promise.all([
      me.page.waitForEvent('download'),
      me.page.getByRole('button', { name: 'Download the file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('paper.pdf');
    expect(readFileSync(await download.path()).toString('latin1')).toBe('%PDF-1.7\xff');
    await back();
    await open(/^x\.svg/);
    await me.page.getByRole('region', { name: 'Content of x.svg' }).getByText('<svg onload=alert(1)>').waitFor();
  });

  it.each([
    ['a wide window', {}],
    ['a phone', PHONE],
  ])('shows a PDF page by page, with its text, in %s', async (_what, options) => {
    const put = (path: string, content: Buffer) =>
      fetch(`${product.stack.url}/v1/sessions/${sessionId}/files/content?path=${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${product.owner.token}`, 'if-match': '*' },
        body: new Uint8Array(content),
      });
    const pages = ['First of three', 'Second of three', 'Third of three'];
    await put('three.pdf', Buffer.concat([writtenPdf(pages), Buffer.alloc(400_000, '%\n')]));
    await put('locked.pdf', writtenPdf(['Secret'], { locked: true }));
    const me = await product.openSignedIn(OWNER, options);
    await openPanel(me);
    const { page } = me;
    const open = (name: RegExp) => fileTree(page).getByRole('button', { name }).click();
    await open(/^three\.pdf/);
    const sheet = (number: number) => page.getByRole('region', { name: `Page ${number} of three.pdf` });
    await sheet(1).getByText('First of three').waitFor();
    const isDrawn = () =>
      sheet(1)
        .locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value, at) => at % 4 === 0 && value < 100);
        });
    expect(await isDrawn()).toBe(true);
    await page.getByRole('button', { name: 'Next page' }).click();
    await sheet(2).getByText('Second of three').waitFor();
    await sheet(2).press('PageDown');
    await sheet(3).getByText('Third of three').waitFor();
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.getByRole('spinbutton', { name: 'Page' }).fill('1');
    await sheet(1).getByText('First of three').waitFor();
    await page.getByRole('button', { name: 'Larger' }).click();
    expect(await me.overflowsSideways()).toBe(false);
    expect(await findings(me)).toEqual([]);
    expect(me.foreignRequests).toEqual([]);
    await page.getByRole('button', { name: 'Back to the files' }).click();
    await open(/^locked\.pdf/);
    await page.getByText('This PDF is protected by a password. Download it to open it.').waitFor();
  });

  it('downloads everything, a folder, and what is changed', async () => {
    const me = await product.openSignedIn();
    await openPanel(me);
    const download = async (trigger: string, item: string) => {
      await me.page.getByRole('button', { name: trigger, exact: true }).click();
      const [started] = await Promise.all([
        me.page.waitForEvent('download'),
        me.page.getByRole('menuitem', { name: item }).click(),
      ]);
      return { name: started.suggestedFilename(), bytes: readFileSync(await started.path()) };
    };
    const all = await download('Download', 'All files as .zip');
    expect(all.name).toMatch(/\.zip$/);
    expect(all.bytes.subarray(0, 2).toString()).toBe('PK');
    for (const name of ['src/a.ts', '日本 1.png']) expect(all.bytes.includes(name)).toBe(true);
    await fileTree(me.page).getByRole('button', { name: 'src' }).click();
    expect((await download('Download', 'Folder as .tar.gz')).name).toBe('src.tar.gz');
    await me.page.getByRole('tab', { name: 'Changes' }).click();
    const patch = await download('Download', 'Changes as a patch');
    expect(patch.name).toMatch(/-changes\.patch$/);
    expect(patch.bytes.toString()).toContain('+++ b/src/a.ts');
  });

  it.each([
    ['a wide window', {}],
    ['a phone', PHONE],
  ])('takes files by button and by drop, and asks before one is replaced, in %s', async (_what, options) => {
    const me = await product.openSignedIn(OWNER, options);
    await openPanel(me);
    const name = `neu ${Date.now()} 日本.txt`;
    const choose = (text: string) =>
      me.page.getByLabel('Files to upload').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await choose('first');
    const row = fileTree(me.page).getByRole('button', { name: new RegExp(`^${name}`) });
    await row.waitFor();
    await choose('second');
    const question = me.page.getByRole('dialog', { name: 'Replace this file?' });
    await question.getByRole('button', { name: 'Keep it' }).click();
    await question.waitFor({ state: 'detached' });
    await choose('third');
    await question.getByRole('button', { name: 'Replace' }).click();
    await me.page.getByText('is in this session now.').waitFor();
    expect(await findings(me)).toEqual([]);
    await row.click();
    await me.page.getByText('third').waitFor();
    await me.page.getByRole('button', { name: 'Back to the files' }).click();

    const dropped = `drop ${Date.now()}.txt`;
    const data = await me.page.evaluateHandle((file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped'], file));
      return transfer;
    }, dropped);
    await fileTree(me.page).dispatchEvent('drop', { dataTransfer: data });
    await fileTree(me.page)
      .getByRole('button', { name: new RegExp(`^${dropped}`) })
      .waitFor();
    if (process.env['PICTURES']) await me.page.screenshot({ path: `${process.env['PICTURES']}/${_what}.png` });
  });

  it('offers no upload to those who only read, and still every download', async () => {
    const reader = await product.newMember('Reader');
    await product.owner.call('PATCH', `/v1/sessions/${sessionId}`, { visibility: 'project_read' });
    const me = await product.openSignedIn(reader);
    await me.page.goto(`${me.url}/sessions/${sessionId}`);
    await me.page.getByRole('button', { name: 'Files and changes' }).click();
    await fileTree(me.page).getByRole('button', { name: 'src' }).waitFor();
    expect(await me.page.getByRole('button', { name: 'Download', exact: true }).count()).toBe(1);
    expect(await me.page.getByRole('button', { name: 'Upload' }).count()).toBe(0);
  });
});
