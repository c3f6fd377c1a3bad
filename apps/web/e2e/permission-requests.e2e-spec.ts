import type { OpenToolCall, Page } from '@chirality/contracts';
import { OWNER, waitFor } from '@chirality/testing';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('deciding what Claude may', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const newSession = async (name: string) => {
    const project = await product.owner.createProject(name);
    const session = await product.owner.createSession(project.id, { visibility: 'project' });
    return { projectId: project.id, sessionId: session.id };
  };

  it('rules of a project are added, taken away and brought back, and a session feels them at once', async () => {
    const { projectId, sessionId } = await newSession('Ruled');
    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/projects/${projectId}/settings`);
    const field = me.page.getByLabel('Tool and pattern');
    await field.fill('rm everything');
    await me.page.getByRole('button', { name: 'Add rule' }).click();
    await me.page.getByText('Write a tool, such as').waitFor();
    await field.fill('Bash(rmdir *)');
    await me.page.getByRole('button', { name: 'Add rule' }).click();
    const rules = me.page.getByRole('list', { name: 'Rules' });
    await rules.getByText('Bash(rmdir *)').waitFor();
    await rules.getByRole('button', { name: 'Take away Bash(rmdir *)' }).click();
    await me.page.getByText('No rules yet.').waitFor();
    await me.page.getByRole('button', { name: 'Undo' }).click();
    await rules.getByText('Bash(rmdir *)').waitFor();
    await me.page.getByText('removed the rule that denies Bash(rmdir *)').waitFor();

    await me.openSession(sessionId);
    await me.send('[[tool Bash {"command":"rmdir none"}]] [[text "Refused."]]');
    await me.waitForEnds(1);
    await me.page.getByText('the rule Bash(rmdir *) refuses it').first().waitFor();
  });

  it('auto-approve is switched on by its name, seen on every session, and switched off', async () => {
    const { projectId, sessionId } = await newSession('Trusting');
    const bo = await product.newMember('Bo');
    const [me, theirs] = [await product.openSignedIn(), await product.openSignedIn(bo)];
    await theirs.page.goto(`${theirs.url}/projects/${projectId}/settings`);
    await theirs.page.getByRole('heading', { name: 'Permissions' }).waitFor();
    expect(await theirs.page.getByRole('switch', { name: 'Auto-approve' }).isDisabled()).toBe(true);

    await me.page.goto(`${me.url}/projects/${projectId}/settings`);
    const toggle = me.page.getByRole('switch', { name: 'Auto-approve' });
    await toggle.click();
    await me.page.getByRole('dialog').getByText('without asking anyone').waitFor();
    expect(
      (await product.owner.call<{ autoApprove: unknown }>('GET', `/v1/projects/${projectId}`)).body.autoApprove,
    ).toBeNull();
    await me.page.getByRole('button', { name: 'Switch auto-approve on' }).click();
    await me.page.getByText('Switched on by Owner').waitFor();
    expect(await me.page.getByRole('switch', { name: 'Strict' }).isDisabled()).toBe(true);
    await me.page.getByText('turned auto-approve on').waitFor();

    await theirs.openSession(sessionId);
    await theirs.page.getByText('Auto-approve is on.').waitFor();
    await theirs.send('[[tool Bash {"command":"touch made.txt"}]] [[text "No one was asked."]]');
    await theirs.waitForEnds(1);
    expect(await theirs.conversationText()).toContain('No one was asked.');

    await toggle.click();
    await me.page.getByText('turned auto-approve off').waitFor();
    await theirs.page.reload();
    await theirs.composer.waitFor();
    await theirs.page.getByText('Auto-approve is on.').waitFor({ state: 'detached' });
  });

  it('what a session allows becomes the project’s, and the options say where each comes from', async () => {
    const { projectId, sessionId } = await newSession('Promoting');
    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/projects/${projectId}/settings`);
    const turns = me.page.getByRole('group', { name: 'Default options' }).getByLabel('Max. model turns');
    await turns.fill('9');
    const defaults = me.page.locator('form').filter({ has: turns });
    await defaults.getByRole('button', { name: 'Save defaults' }).click();
    await me.page.getByText('Saved. Applies from the next turn.').waitFor();
    await me.page.getByText('changed the project’s defaults').waitFor();
    await me.openSession(sessionId);
    await me.send('[[tool Bash {"command":"touch one.txt"}]] [[text "One."]]');
    await me.page.getByRole('button', { name: 'Allow touch one.txt in this session' }).click();
    await me.waitForEnds(1);
    await me.page.getByRole('button', { name: 'options and where they come from' }).click();
    const options = me.page.getByRole('dialog', { name: 'Options of this session' });
    expect(await options.getByRole('row', { name: 'Max. model turns' }).innerText()).toMatch(/9\s+project/);
    await options.getByRole('button', { name: 'Allow Bash(touch one.txt) in every session of the project' }).click();
    await me.page
      .getByRole('dialog', { name: 'Allow this in the whole project?' })
      .getByRole('button', { name: 'Allow in the project' })
      .click();
    await options.getByText('Now allowed in every session of the project.').waitFor();
    await options.getByText('Nothing beyond what the options say.').waitFor();
    await me.page.goto(`${me.url}/projects/${projectId}/settings`);
    await me.page.getByRole('list', { name: 'Rules' }).getByText('Bash(touch one.txt)').waitFor();

    await me.page.goto(`${me.url}/team`);
    await me.page.getByLabel('Model', { exact: true }).selectOption('haiku');
    await me.page.getByRole('button', { name: 'Save defaults' }).click();
    await me.page.getByText('Saved. Applies from the next turn.').waitFor();
    await me.openSession(sessionId);
    await me.page.getByRole('button', { name: 'options and where they come from' }).click();
    await options.getByRole('row', { name: /^Model Haiku \(latest\)/ }).waitFor();
    expect(await options.getByRole('row', { name: /^Model Haiku/ }).innerText()).toMatch(/Haiku \(latest\)\s+team/);
  });

  it('a request that comes while the live connection is away is shown, and can be answered', async () => {
    const { sessionId } = await newSession('Away');
    const me = await product.openSignedIn();
    await me.page.routeWebSocket(/socket\.io/, (socket) => void socket.connectToServer());
    await me.openSession(sessionId);
    // Nor does the stream get through that takes its place.
    await me.page.route(/\/v1\/sessions\/[^/]+\/events/, (route) => route.abort());
    await me.page.routeWebSocket(/socket\.io/, (socket) => void socket.close());
    await me.page.context().setOffline(true);
    await me.page.context().setOffline(false);
    await me.page.getByText('reconnecting').first().waitFor();
    await product.owner.send(sessionId, '[[tool Bash {"command":"touch away.txt"}]] [[text "Answered."]]');
    const card = me.page.getByRole('region', { name: 'Claude waits for an answer' });
    await card.getByText('Your answer counts all the same').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).click();
    await card.getByText('Your answer is given.').waitFor();
    await waitFor(async () => (await product.owner.session(sessionId)).status === 'idle', {
      what: 'the turn continues and ends',
      timeoutMs: 30_000,
    });
    const files = await product.owner.call('GET', `/v1/sessions/${sessionId}/files?path=`);
    expect(JSON.stringify(files.body)).toContain('away.txt');
  });

  it('keeps the keyboard in the card when a pressed button is replaced, so that Escape stops no turn', async () => {
    const { sessionId } = await newSession('Kept');
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    await me.send('[[tool Bash {"command":"touch kept.txt"}]] [[text "Kept on."]]');
    const card = me.page.getByRole('region', { name: 'Claude waits for an answer' });
    const focused = card.locator(':focus');
    // A card cannot be answered in its first moment.
    await card.locator('[data-key="1"]:not([aria-disabled])').waitFor();
    const widest = card.getByRole('button', { name: 'Allow all commands in this session…' });
    await widest.click();
    expect(await focused.innerText()).toBe('Cancel');
    await me.page.keyboard.press('Escape');
    await widest.waitFor();
    await me.page.keyboard.press('3');
    await focused.press('Enter');
    await widest.waitFor();
    await me.page.keyboard.press('R');
    await card.getByRole('button', { name: 'Back' }).click();
    await me.page.keyboard.press('Escape');
    await me.page.keyboard.press('1');
    await me.waitForEnds(1);
    expect(await me.conversationText()).toContain('Kept on.');
  });

  it('a tool that a crash left open is asked about, and everyone sees the answer', async () => {
    const { sessionId } = await newSession('Crashed');
    await product.owner.call('PATCH', `/v1/sessions/${sessionId}`, { options: { autoApproveTools: ['Bash'] } });
    const turn = await product.owner.send(
      sessionId,
      '[[tool Bash {"command":"touch deployed; sleep 600","timeout":600000}]] [[text "Never said."]]',
    );
    await waitFor(
      async () =>
        JSON.stringify((await product.owner.call('GET', `/v1/sessions/${sessionId}/files?path=`)).body).includes(
          'deployed',
        ),
      { what: 'the command runs', timeoutMs: 30_000, everyMs: 200 },
    );
    const [me, other] = [await product.openSignedIn(), await product.openSignedIn(OWNER)];
    await Promise.all([me.openSession(sessionId), other.openSession(sessionId)]);
    const [worker] = product.stack.workers;
    worker?.kill('SIGKILL');
    await worker?.exited;
    await product.stack.startWorker();
    expect((await product.owner.waitForEnd(sessionId, turn.id, 65_000)).status).toBe('lost');
    const dock = me.page.getByRole('region', { name: 'A tool with an unknown outcome' });
    await dock.getByText('touch deployed; sleep 600').waitFor();
    await dock.getByLabel('A note for Claude').fill('It is deployed.');
    await dock.getByRole('button', { name: 'It succeeded' }).click();
    await other.conversation.getByText('Owner said that it succeeded: It is deployed.').waitFor();
    await other.page.getByRole('region', { name: 'A tool with an unknown outcome' }).waitFor({ state: 'detached' });
    const { body } = await product.owner.call<Page<OpenToolCall>>('GET', `/v1/sessions/${sessionId}/tools/open`);
    expect(body.data).toEqual([]);
    await me.send('[[text "I see."]]');
    await me.waitForEnds(2);
    expect(JSON.stringify(product.stack.model?.requests().at(-1)?.body)).toContain(
      'A person says that it succeeded. It is deployed.',
    );
  });
});
