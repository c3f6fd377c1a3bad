import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry, Page, Permission } from '@chirality/contracts';
import { type HostApi, runGit, waitFor } from '@chirality/testing';
import { findings } from './support/axe';
import type { BrowserStack } from './support/browser-stack';
import { startHostedProject, TOKEN, type HostedProject } from './support/hosted-project';

jest.setTimeout(180_000);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const COMMIT = 'echo ten > count.txt && git add -A && git commit -qm "Count to ten"';
const tool = (command: string) => `[[tool Bash ${JSON.stringify({ command })}]]`;

describe('a push that Claude proposes', () => {
  let hosted: HostedProject;
  let api: HostApi;
  let stack: BrowserStack;
  let projectId: string;
  let sessionId: string;

  beforeAll(async () => {
    hosted = await startHostedProject();
    ({ api, stack, projectId } = hosted);
    sessionId = (await stack.owner.createSession(projectId)).id;
  });
  afterAll(async () => {
    await hosted?.stop();
  });

  const result = async (turnId: string) =>
    (await stack.owner.events(sessionId)).flatMap(({ kind, turn, payload }) =>
      kind === 'tool:result' && turn === turnId ? [payload as { content: unknown; isError: boolean }] : [],
    );

  it('is denied with a reason, which Claude reads, and nothing leaves', async () => {
    const viewer = await stack.openSignedIn(undefined, { ...PHONE, colorScheme: 'dark' });
    const { page } = viewer;
    await viewer.openSession(sessionId);
    const turn = await stack.owner.send(
      sessionId,
      `Push it ${tool(COMMIT)} ${tool('echo draft > notes.md')} ${tool('git push -u origin HEAD 2>&1')} [[text Denied.]]`,
      { autoApproveTools: ['Bash'] },
    );
    await page.getByRole('heading', { name: 'Push this session’s commits?' }).waitFor();
    await page.getByText('Count to ten').last().waitFor();
    await page.getByText('1 uncommitted file will not be pushed').waitFor();
    expect(await page.getByRole('button', { name: /in this session/ }).count()).toBe(0);
    expect(await findings(viewer)).toEqual([]);
    expect(await viewer.overflowsSideways()).toBe(false);
    await page.getByRole('button', { name: /Deny with a reason/ }).click();
    await page.getByPlaceholder('Reason (Claude will see it)').fill('In digits first');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await stack.owner.waitForEnd(sessionId, turn.id, 60_000)).toMatchObject({ status: 'completed' });
    expect((await result(turn.id)).at(-1)).toMatchObject({
      isError: true,
      content: expect.stringContaining('In digits first'),
    });
    expect(runGit(hosted.repository, ['branch', '--list', 'chirality/*'])).toBe('');
    expect(viewer.complaints).toEqual([]);
  });

  it('is made once by the person who allows it, as they changed it, and opens the pull request', async () => {
    const viewer = await stack.openSignedIn();
    const { page } = viewer;
    await viewer.openSession(sessionId);
    const body = `"$(cat <<'EOF'\n## Summary\n- counts\nEOF\n)"`;
    const turn = await stack.owner.send(
      sessionId,
      `Open it ${tool(`git push origin HEAD && gh pr create --title "Ten" --body ${body}`)} [[text Opened.]]`,
      { autoApproveTools: ['Bash'] },
    );
    await page.getByRole('heading', { name: 'Push and open a pull request?' }).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('## Summary\n- counts');
    expect(await page.getByLabel('Into branch').inputValue()).toBe('main');
    await page.getByLabel('Title').fill('Count to ten');
    await page.getByLabel('Branch', { exact: true }).fill('ada/ten');
    expect(await findings(viewer)).toEqual([]);
    const { body: asked } = await stack.owner.call<Page<Permission>>(
      'GET',
      `/v1/sessions/${sessionId}/permissions?status=pending`,
    );
    expect(asked.data[0]?.proposal).toMatchObject({ commitCount: 1, opensPullRequest: true });
    await page.getByRole('button', { name: /^Push and open/ }).click();
    expect(await stack.owner.waitForEnd(sessionId, turn.id, 90_000)).toMatchObject({ status: 'completed' });
    const [said] = await result(turn.id);
    expect(said).toMatchObject({
      isError: false,
      content: expect.stringMatching(/pushed: the branch ada\/ten of .*Pull request #1 is open: http/s),
    });
    expect(api.state.pulls).toMatchObject([
      { title: 'Count to ten', body: '## Summary\n- counts', head: 'ada/ten', base: 'main', state: 'open' },
    ]);
    expect(runGit(hosted.repository, ['show', 'ada/ten:count.txt'])).toBe('ten');
    expect(api.faults).toEqual([]);

    const { body: audit } = await stack.owner.call<Page<AuditEntry>>('GET', `/v1/audit?limit=50`);
    const acts = audit.data.filter(({ action }) => ['session:push', 'session:pull-request'].includes(action));
    expect(acts.map(({ action, object }) => [action, object])).toEqual([
      ['session:pull-request', sessionId],
      ['session:push', sessionId],
    ]);
    const log = JSON.stringify(await stack.owner.events(sessionId));
    expect(log).toContain('"code":"PUSHED"');
    expect(log).not.toContain(TOKEN);
    await page.getByRole('link', { name: /^Pull request ?#1 ?Open/ }).waitFor();
    expect([viewer.complaints, viewer.foreignRequests, await viewer.overflowsSideways()]).toEqual([[], [], false]);
  });

  it('has its checks shown as soon as the host reports them to the webhook', async () => {
    const manager = await stack.openSignedIn(undefined, { ...PHONE, colorScheme: 'dark' });
    await manager.page.goto(`${manager.url}/projects/${projectId}/settings`);
    await manager.page.getByRole('button', { name: 'Set up a webhook' }).click();
    await manager.page.getByText('The secret is shown this once').waitFor();
    const [address = '', secret = ''] = await Promise.all(
      ['Address', 'Secret'].map(async (name) =>
        (await manager.page.getByLabel(name, { exact: true }).innerText()).trim(),
      ),
    );
    expect(await findings(manager)).toEqual([]);
    expect(await manager.overflowsSideways()).toBe(false);

    const viewer = await stack.openSignedIn();
    await viewer.openSession(sessionId);
    await viewer.page.getByRole('link', { name: /^Pull request ?#1 ?Open/ }).waitFor();
    api.state.checks.push({ id: 2, name: 'test', status: 'failed', log: 'expected 10, got ten' });
    const body = JSON.stringify({ action: 'completed', check_run: { pull_requests: [{ number: 1 }] } });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const delivered = await fetch(`${manager.url}${new URL(address).pathname}`, {
      method: 'POST',
      headers: {
        'x-github-event': 'check_run',
        'x-github-delivery': 'one',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    });
    expect(delivered.status).toBe(202);
    // The host was asked a moment ago, so that without the report the next look were a minute away.
    await viewer.page.getByRole('link', { name: /1 of 1 checks failed/ }).waitFor({ timeout: 30_000 });
    await manager.page.reload();
    await manager.page.getByText(/GitHub: check_run/).waitFor();
    expect(await manager.page.getByText(secret).count()).toBe(0);
    expect([viewer.complaints, manager.complaints]).toEqual([[], []]);
  });

  it('that the remote refuses is a failed command for Claude', async () => {
    const update = join(hosted.repository, 'hooks/pre-receive');
    writeFileSync(update, '#!/bin/sh\necho "sign the agreement first" >&2; exit 1\n', { mode: 0o755 });
    const { owner } = stack;
    const turn = await owner.send(
      sessionId,
      `More ${tool('echo 11 > count.txt && git commit -qam Eleven')} ${tool('git push')} [[text Refused.]]`,
      { autoApproveTools: ['Bash'] },
    );
    const pending = async () =>
      (await owner.call<Page<Permission>>('GET', `/v1/sessions/${sessionId}/permissions?status=pending`)).body.data;
    await waitFor(async () => (await pending()).length === 1, { what: 'the push is proposed', timeoutMs: 60_000 });
    const [request] = await pending();
    const answer = { decision: 'allow_tool' };
    const { body } = await owner.call<Permission>(
      'POST',
      `/v1/sessions/${sessionId}/permissions/${request?.id ?? ''}`,
      answer,
    );
    expect(body).toMatchObject({ outcome: 'allowed', scope: 'once' });
    expect(await owner.waitForEnd(sessionId, turn.id, 90_000)).toMatchObject({ status: 'completed' });
    expect((await result(turn.id)).at(-1)).toMatchObject({
      isError: true,
      content: expect.stringContaining('sign the agreement first'),
    });
    const { body: rules } = await owner.call<{ data: unknown[] }>('GET', `/v1/sessions/${sessionId}/rules`);
    expect(rules.data).toEqual([]);
    expect(runGit(hosted.repository, ['show', 'ada/ten:count.txt'])).toBe('ten');
  });
});
