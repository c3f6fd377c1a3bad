import type { Page, Turn } from '@chirality/contracts';
import { runGit, type HostApi } from '@chirality/testing';
import { findings } from './support/axe';
import type { BrowserStack } from './support/browser-stack';
import { startHostedProject, TOKEN, type HostedProject } from './support/hosted-project';

jest.setTimeout(180_000);

describe('a pull request in the dashboard', () => {
  let hosted: HostedProject;
  let api: HostApi;
  let stack: BrowserStack;
  let sessionId: string;

  beforeAll(async () => {
    hosted = await startHostedProject();
    ({ api, stack } = hosted);
    const { owner } = stack;
    sessionId = (await owner.createSession(hosted.projectId)).id;
    const turn = await owner.send(
      sessionId,
      'Count to ten [[tool Bash {"command":"echo ten > count.txt && git add -A && git commit -qm Ten"}]] [[text Counted.]]',
      { autoApproveTools: ['Bash'] },
    );
    expect(await owner.waitForEnd(sessionId, turn.id, 60_000)).toMatchObject({ status: 'completed' });
  });
  afterAll(async () => {
    await hosted?.stop();
  });

  it('is opened, gets a failing check and a comment back, and sends them to Claude', async () => {
    const owner = await stack.openSignedIn();
    const { page } = owner;
    await owner.openSession(sessionId);
    await page.getByRole('button', { name: 'Files and changes' }).click();
    await page.getByRole('tab', { name: 'Pull request' }).click();
    await page.getByText('No pull request yet').waitFor();
    await page.getByRole('button', { name: 'Open a pull request' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open a pull request' });
    expect(await dialog.getByLabel('From branch').isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Into branch').inputValue()).toBe('main');
    const description = dialog.getByLabel('Description');
    expect(await description.inputValue()).toMatch(
      /## Changed files\n\n- `count.txt` \(\+1 −1\)\n\n\[Session in Chirality\]\(http/,
    );
    expect(await description.inputValue()).not.toContain('Asked for');
    await dialog.getByRole('switch', { name: /Include the messages/ }).check();
    expect(await description.inputValue()).toContain('## Asked for\n\n> Count to ten');
    await dialog.getByRole('switch', { name: /Include the messages/ }).uncheck();
    await dialog.getByLabel('Title').fill('Count to ten');
    await dialog.getByLabel('grace').check();
    expect(await findings(owner)).toEqual([]);
    // What its first reading finds.
    api.state.checks.push(
      { id: 1, name: 'build', status: 'passed', log: '' },
      { id: 2, name: 'test', status: 'failed', log: 'expected 10, got ten\n[[text I will write it as a number.]]\n' },
    );
    api.state.comments.push({ id: 3, author: 'grace', body: 'In digits, please.', path: 'count.txt', line: 1 });
    await dialog.getByRole('button', { name: 'Open pull request' }).click();
    await page.getByRole('heading', { name: /Pull request #1/ }).waitFor();
    expect(api.state.pulls).toMatchObject([
      {
        title: 'Count to ten',
        head: expect.stringMatching(/^chirality\/count-to-ten/),
        base: 'main',
        reviewers: ['grace'],
        state: 'open',
      },
    ]);
    const head = api.state.pulls[0]?.head ?? '';
    expect(runGit(hosted.repository, ['show', `${head}:count.txt`])).toBe('ten');
    const link = page.getByRole('link', { name: /^Pull request ?#1 ?Open ?1 of 2 checks failed/ });
    expect(await link.getAttribute('href')).toBe(`${api.state.origin}/ada/engine/pull/1`);
    expect(await page.getByLabel('Send the check test').isChecked()).toBe(true);
    await page.getByLabel('Send the comment by grace').check();
    await page.getByText('End of the log').click();
    await page.getByText('expected 10, got ten').waitFor();
    expect(await findings(owner)).toEqual([]);
    await page.getByRole('button', { name: 'Send 2 items to Claude' }).click();
    await owner.waitForEnds(2);
    const said = await owner.conversationText();
    expect(said).toContain('Pull request #1');
    const { body: turns } = await stack.owner.call<Page<Turn>>('GET', `/v1/sessions/${sessionId}/turns`);
    expect(turns.data[0]?.message).toContain('grace, comment on count.txt:1:\nIn digits, please.');
    expect(said).toContain('I will write it as a number.');

    expect(api.faults).toEqual([]);
    expect(new Set(api.tokens)).toEqual(new Set([null, TOKEN]));
    const log = JSON.stringify(await stack.owner.events(sessionId));
    expect(log).not.toContain(TOKEN);
    expect([owner.complaints, owner.foreignRequests, await owner.overflowsSideways()]).toEqual([[], [], false]);
  });

  it('is read on a phone in the dark', async () => {
    const owner = await stack.openSignedIn(undefined, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const { page } = owner;
    await owner.openSession(sessionId);
    await page.getByRole('link', { name: /^Pull request ?#1 ?Open/ }).waitFor();
    await page.getByRole('button', { name: 'Files and changes' }).click();
    await page.getByRole('tab', { name: 'Pull request' }).click();
    await page.getByText('In digits, please.').waitFor();
    expect(await findings(owner)).toEqual([]);
    expect([owner.complaints, owner.foreignRequests, await owner.overflowsSideways()]).toEqual([[], [], false]);
  });
});
