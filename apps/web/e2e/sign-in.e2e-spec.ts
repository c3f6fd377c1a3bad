import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, waitFor, type Stack } from '@chirality/testing';
import type { Browser } from 'playwright-core';
import { launchChromium } from './support/chromium';
import { Dashboard } from './support/dashboard';

jest.setTimeout(120_000);

const OWN_PASSWORD = 'a password of my own';

describe('signing in', () => {
  let stack: Stack;
  let browser: Browser;
  let directory: string;
  let first: { email: string; password: string };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'first-login-'));
    // The server may run under another user than the test.
    chmodSync(directory, 0o777);
    const file = join(directory, 'login.json');
    [stack, browser] = await Promise.all([
      startStack({ workers: 0, env: { CHIRALITY_OWNER_PASSWORD: '', CHIRALITY_FIRST_LOGIN_FILE: file } }),
      launchChromium(),
    ]);
    await waitFor(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), {
      what: 'the first password is made',
    });
    first = JSON.parse(readFileSync(file, 'utf8')) as typeof first;
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('for the first time asks for a password of one’s own, and nothing else is to be had before', async () => {
    const me = await Dashboard.open(browser, stack.url);
    await me.page.goto(`${stack.url}/team`);
    await me.page.getByLabel('E-mail').fill(first.email);
    await me.page.getByLabel('Password', { exact: true }).fill(first.password);
    await me.page.getByRole('button', { name: 'Sign in' }).click();
    await me.page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    await me.page.goto(`${stack.url}/cost`);
    await me.page.getByRole('heading', { name: 'Choose your own password' }).waitFor();

    await me.page.getByLabel('Temporary password', { exact: true }).fill(first.password);
    await me.page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
    await me.page.getByLabel('Repeat password', { exact: true }).fill('something else');
    await me.page.getByRole('button', { name: 'Set password and continue' }).click();
    await me.page.getByText('The passwords do not match.').waitFor();
    await me.page.getByLabel('Repeat password', { exact: true }).fill(OWN_PASSWORD);
    await me.page.getByRole('button', { name: 'Set password and continue' }).click();
    await me.page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor();
    await me.page.reload();
    await me.page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor();
    expect(me.complaints).toEqual([]);
    await me.close();
  });

  it('with the wrong password says so and keeps the address', async () => {
    const me = await Dashboard.open(browser, stack.url);
    await me.page.goto(`${stack.url}/sign-in`);
    await me.page.getByLabel('E-mail').fill(first.email);
    await me.page.getByLabel('Password', { exact: true }).fill('wrong, certainly');
    await me.page.getByRole('button', { name: 'Sign in' }).click();
    await me.page.getByRole('alert').waitFor();
    expect(await me.page.getByLabel('E-mail').inputValue()).toBe(first.email);
    await me.close();
  });

  it('leads to where one wanted to go, and never to another site', async () => {
    const me = await Dashboard.open(browser, stack.url);
    await me.page.goto(`${stack.url}/cost`);
    await me.page.waitForURL(/\/sign-in\?next=/);
    await me.page.goto(`${stack.url}/sign-in?next=${encodeURIComponent('//evil.test/')}`);
    await me.page.getByLabel('E-mail').fill(first.email);
    await me.page.getByLabel('Password', { exact: true }).fill(OWN_PASSWORD);
    await me.page.getByRole('button', { name: 'Sign in' }).click();
    await me.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(new URL(me.page.url()).origin).toBe(stack.url);
    await me.close();
  });

  it('by an invitation, whose token no request carries in its address before it is used', async () => {
    const owner = await Dashboard.open(browser, stack.url);
    await owner.signIn({ email: first.email, password: OWN_PASSWORD });
    await owner.page.goto(`${stack.url}/team`);
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await owner.page.getByLabel('E-mail').fill('bo@example.test');
    await owner.page.getByRole('button', { name: 'Create link' }).click();
    const link = new URL(await owner.page.getByTestId('invitation-link').innerText());

    const guest = await Dashboard.open(browser, stack.url);
    const asked: string[] = [];
    guest.page.on('request', (request) => asked.push(request.url().split('#')[0] ?? ''));
    await guest.page.goto(stack.url + link.pathname + link.hash);
    await guest.page.getByText('invited bo@example.test as member').waitFor();
    await guest.page.getByLabel('Display name').fill('Bo');
    expect(asked.filter((address) => address.includes(link.hash.slice(1)))).toEqual([]);
    await guest.page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
    await guest.page.getByLabel('Repeat password', { exact: true }).fill(OWN_PASSWORD);
    await guest.page.getByRole('button', { name: 'Create account and join' }).click();
    await guest.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await owner.page.reload();
    await owner.page.getByText('bo@example.test').first().waitFor();
    const late = await Dashboard.open(browser, stack.url);
    await late.page.goto(stack.url + link.pathname + link.hash);
    await late.page.getByText('This invitation was already used').waitFor();
    expect(await late.page.getByLabel('New password').count()).toBe(0);
    await late.close();
    await Promise.all([owner.close(), guest.close()]);
  });

  it('shows the chosen team on every page, and makes projects in it', async () => {
    const me = await Dashboard.open(browser, stack.url);
    await me.signIn({ email: first.email, password: OWN_PASSWORD });
    await me.page.getByRole('button', { name: 'Team: Team' }).click();
    await me.page.getByRole('menuitem', { name: 'New team…' }).click();
    await me.page.getByLabel('Team name').fill('Second');
    await me.page.getByRole('button', { name: 'Create team' }).click();
    await me.page.getByRole('button', { name: 'Team: Second' }).waitFor();
    await me.page.getByRole('button', { name: 'New project' }).click();
    await me.page.getByLabel('Name', { exact: true }).fill('Of the second team');
    await me.page.getByRole('button', { name: 'Create', exact: true }).click();
    await me.page.getByRole('heading', { name: 'Of the second team', level: 1 }).waitFor();
    await me.page.goto(`${stack.url}/team`);
    await me.page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
    await me.page.getByRole('button', { name: 'Team: Second' }).click();
    await me.page.getByRole('menuitemcheckbox', { name: 'Team', exact: true }).click();
    await me.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await me.page.getByText('Of the second team').count()).toBe(0);
    await me.close();
  });

  it('and much else stands in the audit log, in words', async () => {
    const me = await Dashboard.open(browser, stack.url);
    await me.signIn({ email: first.email, password: OWN_PASSWORD });
    await me.page.goto(`${stack.url}/team/audit?action=user%3A*`);
    await me.page
      .getByText(/signed in from 127\.0\.0\.1/)
      .first()
      .waitFor();
    await me.page.getByLabel('Action').selectOption('invitation:*');
    await me.page.getByText('invited bo@example.test as member').waitFor();
    expect(await me.page.getByText(/signed in/).count()).toBe(0);
    await me.close();
  });

  it('out of one tab signs out the other', async () => {
    const me = await Dashboard.open(browser, stack.url);
    await me.signIn({ email: first.email, password: OWN_PASSWORD });
    const other = await me.page.context().newPage();
    await other.goto(`${stack.url}/settings`);
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await other.getByRole('button', { name: 'Sign out this device' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await me.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await me.close();
  });
});
