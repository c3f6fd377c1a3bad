import { seedConversation, waitFor } from '@chirality/testing';
import { Pool } from 'pg';
import type { Page } from 'playwright-core';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';
import type { Dashboard, Person } from './support/dashboard';

jest.setTimeout(180_000);

/** Of ten events each, of which a page holds 200: the newest, those before them, and the first hundred. */
const TURNS = 500;
const NEWEST_FROM = 300;
const EARLIER_FROM = 100;
/** What rounding may move a row by. */
const MAX_SHIFT_PX = 3;
/** The first row has this much room above it, and what comes into that room is measured in the reader's sight. */
const ROOM_ABOVE_PX = 64;

const EARLIER = /\/transcript\?before=/;

/** Keeps the answers of requests for earlier turns back until the returned function is called. */
async function holdEarlier(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(EARLIER, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

describe('reading a long session', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));
  let sessionId: string;
  let bo: Person;

  beforeAll(async () => {
    sessionId = await longSession('Long');
    bo = await product.newMember('Bo');
  }, 120_000);

  /** Whose messages they are is not known, but for the first one where `firstBy` says it. */
  async function longSession(name: string, firstBy?: object): Promise<string> {
    const session = await product.owner.session(await product.newSession(name));
    const pool = new Pool({ connectionString: product.stack.postgres.url, max: 1 });
    try {
      await seedConversation(pool, session, TURNS * 10);
      if (firstBy !== undefined)
        await pool.query('UPDATE event SET originator = $2 WHERE session_id = $1 AND id = 1', [
          session.id,
          JSON.stringify(firstBy),
        ]);
    } finally {
      await pool.end();
    }
    return session.id;
  }

  async function openLong(person?: Person, id = sessionId): Promise<Dashboard> {
    const me = await product.openSignedIn(person);
    await me.openSession(id);
    await question(me, TURNS - 1).waitFor();
    return me;
  }

  const question = ({ conversation }: Dashboard, n: number) =>
    conversation.getByRole('article').filter({ hasText: `Question ${n}: ` });
  const topOf = (me: Dashboard, n: number) => question(me, n).evaluate((row) => row.getBoundingClientRect().top);
  const endDistance = ({ conversation }: Dashboard) =>
    conversation.evaluate((list) => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight));
  const loading = ({ conversation }: Dashboard) =>
    conversation.getByRole('button', { name: 'Loading earlier messages' });
  const openIndex = ({ page }: Dashboard) => page.getByRole('button', { name: 'Messages of this session' }).click();
  const index = ({ page }: Dashboard) => page.getByRole('dialog', { name: 'Messages of this session' });

  async function toStart(me: Dashboard): Promise<void> {
    await openIndex(me);
    await index(me).getByRole('button', { name: 'Jump to the beginning' }).click();
  }

  /** The numbers of the questions in the page, from top to bottom. */
  async function questions({ conversation }: Dashboard): Promise<number[]> {
    const texts = await conversation.getByRole('article').allInnerTexts();
    return texts.flatMap((text) => /Question (\d+): /.exec(text)?.[1] ?? []).map(Number);
  }
  const isGapless = (numbers: readonly number[]) =>
    numbers.length > 0 && numbers.every((n, at) => at === 0 || n === numbers[at - 1]! + 1);

  it('begins at its end and loads nothing that is not looked for', async () => {
    const me = await product.openSignedIn();
    const asked: string[] = [];
    me.page.on('request', (request) => {
      if (EARLIER.test(request.url())) asked.push(request.url());
    });
    await me.openSession(sessionId);
    await question(me, TURNS - 1).waitFor();
    expect(await endDistance(me)).toBeLessThanOrEqual(2);
    expect(isGapless(await questions(me))).toBe(true);
    await openIndex(me);
    const listed = index(me)
      .getByRole('listitem')
      .filter({ hasText: /^Question/ });
    await listed.nth(99).waitFor();
    expect(await listed.count()).toBe(100);
    expect(asked).toEqual([]);
  });

  it('keeps the row that is read in its place while earlier turns are put in above it, page by page', async () => {
    const me = await openLong();
    for (const [first, next] of [
      [NEWEST_FROM, EARLIER_FROM],
      [EARLIER_FROM, 0],
    ] as const) {
      const release = await holdEarlier(me.page);
      await me.conversation.press('Home');
      await loading(me).waitFor();
      await me.restingPlace();
      expect((await questions(me))[0]).toBe(first);
      const top = await topOf(me, first);
      release();
      await question(me, first - 1).waitFor({ state: 'attached' });
      await me.restingPlace();
      expect(Math.abs((await topOf(me, first)) - top)).toBeLessThanOrEqual(ROOM_ABOVE_PX);
      expect(isGapless(await questions(me))).toBe(true);
      await me.page.unroute(EARLIER);
      if (next > 0) continue;
      await me.conversation.press('Home');
      await question(me, 0).waitFor();
      await me.restingPlace();
      expect((await questions(me))[0]).toBe(0);
      expect(await me.conversation.getByRole('button', { name: /earlier messages/ }).count()).toBe(0);
    }
  });

  it('keeps the focus where it is when turns are put in above', async () => {
    const me = await openLong();
    const release = await holdEarlier(me.page);
    await me.conversation.press('Home');
    await loading(me).waitFor();
    await me.restingPlace();
    const tool = me.conversation.getByRole('button', { name: new RegExp(`part-${NEWEST_FROM}\\.ts`) }).first();
    await tool.focus();
    await tool.evaluate((element) => element.setAttribute('data-was-focused', ''));
    release();
    await question(me, NEWEST_FROM - 1).waitFor({ state: 'attached' });
    await me.restingPlace();
    expect(await me.page.evaluate(() => document.activeElement?.hasAttribute('data-was-focused'))).toBe(true);
  });

  it('goes to its beginning and to any message of it, in order, with nothing twice and nothing missing', async () => {
    const me = await openLong();
    await toStart(me);
    await question(me, 0).waitFor();
    await me.restingPlace();
    expect((await questions(me))[0]).toBe(0);
    expect(await me.conversation.evaluate((list) => list.scrollTop)).toBeLessThanOrEqual(2);

    await openIndex(me);
    const more = index(me).getByRole('button', { name: 'Earlier ones' });
    const listed = index(me)
      .getByRole('listitem')
      .filter({ hasText: /^Question/ });
    for (let shown = 100; shown < TURNS; shown += 100) {
      await more.click();
      await listed.nth(shown + 99).waitFor();
    }
    const numbers = (await listed.allInnerTexts()).map((text) => Number(/^Question (\d+): /.exec(text)?.[1]));
    expect(numbers).toEqual(Array.from({ length: TURNS }, (_, n) => TURNS - 1 - n));
    expect(
      await index(me)
        .getByRole('button', { name: /arlier/ })
        .count(),
    ).toBe(0);

    await index(me).getByRole('button', { name: 'Question 299: ' }).click();
    await question(me, 299).waitFor();
    await me.restingPlace();
    const around = await questions(me);
    expect([isGapless(around), around.includes(298), around.includes(300)]).toEqual([true, true, true]);
  });

  it('lists messages of earlier turns, and the focus stays in the list', async () => {
    const me = await openLong();
    await openIndex(me);
    const listed = index(me)
      .getByRole('listitem')
      .filter({ hasText: /^Question/ });
    await index(me).getByRole('button', { name: 'Earlier ones' }).click();
    await listed.nth(199).waitFor();
    const load = index(me).getByRole('button', { name: 'Load earlier messages' });
    await load.press('Enter');
    await listed.nth(299).waitFor();
    expect(await index(me).evaluate((list) => list.contains(document.activeElement))).toBe(true);
    await index(me).getByRole('button', { name: 'Question 200: ' }).click();
    await question(me, 200).waitFor();
  });

  it('says when earlier turns could not be loaded, and loads them when asked again or when a jump needs them', async () => {
    const me = await openLong();
    await me.page.route(EARLIER, (route) => route.abort());
    await me.conversation.press('Home');
    const alert = me.conversation.getByRole('alert');
    await alert.getByText('Earlier messages could not be loaded.', { exact: false }).waitFor();
    await me.page.unroute(EARLIER);
    const again = me.conversation.getByRole('button', { name: 'Try again' });
    await again.press('Enter');
    await question(me, NEWEST_FROM - 1).waitFor({ state: 'attached' });
    await alert.waitFor({ state: 'detached' });
    expect(await me.conversation.evaluate((list) => list.contains(document.activeElement))).toBe(true);

    await me.page.route(EARLIER, (route) => route.abort());
    await me.conversation.press('Home');
    await alert.waitFor();
    await me.page.unroute(EARLIER);
    await toStart(me);
    await question(me, 0).waitFor();
  });

  it('stops a jump to the beginning when the person cancels it', async () => {
    const me = await openLong();
    const release = await holdEarlier(me.page);
    await toStart(me);
    await me.page.getByRole('button', { name: 'Loading earlier messages' }).first().waitFor();
    await me.page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await me.page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    const arrived = me.page.waitForResponse(EARLIER);
    release();
    await (await arrived).finished();
    await loading(me).waitFor({ state: 'detached' });
    expect(await endDistance(me)).toBeLessThanOrEqual(2);
    await question(me, TURNS - 1).waitFor();
  });

  it('shows what two people say while one of them reads above, once and in order, to both', async () => {
    const id = await longSession('Shared');
    const [mine, theirs] = [await openLong(undefined, id), await openLong(bo, id)];
    const release = await holdEarlier(mine.page);
    await mine.conversation.press('Home');
    await loading(mine).waitFor();
    await mine.restingPlace();
    const top = await topOf(mine, NEWEST_FROM);

    await theirs.send('From Bo: [[text "An answer meanwhile."]]');
    await theirs.conversation.getByText('An answer meanwhile.', { exact: true }).last().waitFor();
    await mine.page.getByRole('button', { name: 'New messages' }).waitFor();
    expect(Math.abs((await topOf(mine, NEWEST_FROM)) - top)).toBeLessThanOrEqual(MAX_SHIFT_PX);
    release();
    await question(mine, NEWEST_FROM - 1).waitFor({ state: 'attached' });
    await mine.restingPlace();
    expect(Math.abs((await topOf(mine, NEWEST_FROM)) - top)).toBeLessThanOrEqual(ROOM_ABOVE_PX);

    await mine.page.getByRole('button', { name: 'New messages' }).click();
    await mine.conversation.getByText('An answer meanwhile.', { exact: true }).last().waitFor();
    await Promise.all(
      [mine, theirs].map((me) => me.page.locator('[data-row="activity"]').waitFor({ state: 'detached' })),
    );
    await mine.restingPlace();
    expect(await mine.conversation.getByRole('article').filter({ hasText: 'From Bo: ' }).count()).toBe(1);
    expect((await questions(mine)).at(-1)).toBe(TURNS - 1);
    expect(await endDistance(mine)).toBeLessThanOrEqual(2);

    await Promise.all([mine, theirs].map(toStart));
    await Promise.all([mine, theirs].map((me) => question(me, 0).waitFor()));
    await Promise.all([mine, theirs].map((me) => me.restingPlace()));
    expect(await mine.conversationText()).toBe(await theirs.conversationText());
    await theirs.send('From Bo again: [[text "And one more."]]');
    await theirs.conversation.getByText('And one more.', { exact: true }).last().waitFor();
    await mine.page.getByRole('button', { name: 'New messages' }).click();
    await mine.conversation.getByText('And one more.', { exact: true }).last().waitFor();
  });

  it('is continued where it was read when the person comes back, and at its end after a reload', async () => {
    const me = await openLong();
    await openIndex(me);
    await index(me).getByRole('button', { name: 'Earlier ones' }).click();
    await index(me).getByRole('button', { name: 'Question 305: ' }).click();
    await question(me, 305).waitFor();
    await me.restingPlace();
    const top = await topOf(me, 305);
    await me.page.getByRole('link', { name: 'Cost' }).first().click();
    await me.page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor();
    await me.page.goBack();
    await question(me, 305).waitFor();
    await me.restingPlace();
    expect(Math.abs((await topOf(me, 305)) - top)).toBeLessThanOrEqual(MAX_SHIFT_PX);
    await me.page.reload();
    await question(me, TURNS - 1).waitFor();
    expect(await endDistance(me)).toBeLessThanOrEqual(2);
  });

  it('recalls a message of an earlier turn in the message field', async () => {
    const { body } = await product.owner.call<{ user: { id: string } }>('GET', '/v1/me');
    const originator = { userId: body.user.id, clientId: 'client_1', identityClass: 'human' };
    const id = await longSession('Recalled', originator);
    const me = await openLong(undefined, id);
    const recalled = async () => {
      await me.composer.press('ArrowUp');
      return (await me.composer.inputValue()) === 'Question 0: why does the test fail?';
    };
    await waitFor(recalled, { what: 'the first message is recalled', timeoutMs: 30_000, everyMs: 100 });
  });
});
