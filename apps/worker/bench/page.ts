import { existsSync } from 'node:fs';
import { OWNER, type Stack } from '@chirality/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Product } from './product';
import { figureRow, type Row } from './report';
import { EVENTS_PER_TURN, seedTurns } from './seed-session';
import { median, quantile } from './statistics';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome'];
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const LONG_EVENTS = 5_000;
const MANY_TURNS = 2_500;
const FRAMES = 240;

/** What a person sees in a browser; no row where there is none. */
export async function measurePage(stack: Stack, product: Product, rounds: number): Promise<Row[]> {
  const executablePath = process.env['CHIRALITY_CHROMIUM'] ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) return [];
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  try {
    const page = await signIn(browser, stack.url);
    return [...(await measureFirstWords(page, stack, product, rounds)), ...(await measureOpening(page, stack, product, rounds)), await measureScrolling(page, stack, product)];
  } finally {
    await browser.close();
  }
}

async function signIn(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  return page;
}

/** From the key's own time stamp to the frame after the answer's first word is in the document. */
async function measureFirstWords(page: Page, stack: Stack, product: Product, rounds: number): Promise<Row[]> {
  const session = await product.openSession();
  await product.run(session, '[[text Warm.]]');
  await page.goto(`${stack.url}/sessions/${session}`);
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  await composer.waitFor();
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const word = `word${round}x`;
    await composer.fill(`[[text ${word} delay=5]]`);
    const seen = page.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          let pressedAt = 0;
          addEventListener('keydown', (event) => event.key === 'Enter' && (pressedAt = event.timeStamp), { capture: true, once: true });
          const look = () => {
            const rows = [...document.querySelectorAll('[data-row="item"]')].map((row) => row.textContent ?? '');
            if (pressedAt === 0 || !rows.some((text) => text.includes(wanted) && !text.includes('[['))) return;
            observer.disconnect();
            requestAnimationFrame((now) => resolve(now - pressedAt));
          };
          const observer = new MutationObserver(look);
          observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        }),
      word,
    );
    await composer.press('Enter');
    times.push(await seen);
    await page.waitForFunction((ends) => document.querySelectorAll('[data-row="turn-end"]').length >= ends, round + 2, { polling: 50 }).catch(() => undefined);
  }
  return [figureRow('Enter → first words in the page, parked', median(times.slice(1)), 'ms', { most: 150 }, `Chromium, ${rounds} messages, p90 ${quantile(times.slice(1), 0.9).toFixed(0)} ms`)];
}

/** A whole load of the page, its files in the browser's cache, to the frame after the first row of the conversation. */
async function measureOpening(page: Page, stack: Stack, product: Product, rounds: number): Promise<Row[]> {
  const session = await product.openSession();
  const events = await seedTurns(stack.postgres.url, session, LONG_EVENTS / EVENTS_PER_TURN);
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await page.goto(`${stack.url}/`);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.goto(`${stack.url}/sessions/${session}`, { waitUntil: 'commit' });
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const look = () => {
              if (document.querySelector('[data-row="message"], [data-row="item"]') === null) return false;
              requestAnimationFrame((now) => resolve(now));
              return true;
            };
            if (look()) return;
            const observer = new MutationObserver(() => look() && observer.disconnect());
            observer.observe(document, { childList: true, subtree: true });
          }),
      ),
    );
  }
  return [figureRow(`opening a session of ${events} events, first paint of its rows`, median(times.slice(1)), 'ms', { most: 400 }, 'Chromium, whole page load, files cached')];
}

async function measureScrolling(page: Page, stack: Stack, product: Product): Promise<Row> {
  const session = await product.openSession();
  await seedTurns(stack.postgres.url, session, MANY_TURNS);
  await page.goto(`${stack.url}/sessions/${session}`);
  await page.locator('[data-row="message"], [data-row="item"]').first().waitFor();
  const { frames, rows } = await page.evaluate(async (count) => {
    const region = document.querySelector<HTMLElement>('[aria-label="Conversation"]');
    let scroller = region;
    while (scroller && !(scroller.scrollHeight > scroller.clientHeight + 10 && /auto|scroll/.test(getComputedStyle(scroller).overflowY))) scroller = scroller.parentElement;
    if (!scroller) throw new Error('nothing scrolls');
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const seen = new Set<string>();
    const durations: number[] = [];
    let last = await nextFrame();
    for (let i = 0; i < count; i += 1) {
      scroller.scrollTop -= Math.max(400, scroller.scrollHeight / count);
      const now = await nextFrame();
      durations.push(now - last);
      last = now;
      for (const row of document.querySelectorAll<HTMLElement>('[data-index]')) seen.add(row.dataset['index'] ?? '');
    }
    return { frames: durations, rows: Math.max(...[...seen].map(Number)) + 1 };
  }, FRAMES);
  return figureRow('scrolling a long conversation, p95 frame', quantile(frames, 0.95), 'ms', { most: 20 }, `Chromium without a GPU, ${rows} rows, ${FRAMES} frames from end to start`);
}
