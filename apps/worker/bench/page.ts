import { OWNER, waitFor, type Stack } from '@chirality/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { FIRST_ROW_SCRIPT, firstWordScript, scrollScript } from './page-scripts';
import type { Product } from './product';
import { figureRow, type Row } from './report';
import { EVENTS_PER_TURN, seedTurns } from './seed-session';
import { median, quantile } from './statistics';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
const LONG_EVENTS = 5_000;
const MANY_TURNS = 2_500;
const FRAMES = 240;

/** What a person sees in the browser that `npm run bench` brings; no row where it could bring none. */
export async function measurePage(stack: Stack, product: Product, rounds: number): Promise<Row[]> {
  const executablePath = process.env['CHIRALITY_CHROMIUM'];
  if (executablePath === undefined) return [];
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  try {
    const page = await signIn(browser, stack.url);
    return [
      ...(await measureFirstWords(page, stack, product, rounds)),
      ...(await measureOpening(page, stack, product, rounds)),
      await measureScrolling(page, stack, product),
    ];
  } finally {
    await browser.close();
  }
}

async function signIn(browser: Browser, url: string): Promise<Page> {
  const page = await (
    await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' })
  ).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  return page;
}

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
    const seen = page.evaluate<number>(firstWordScript(word));
    await composer.press('Enter');
    times.push(await seen);
    await waitFor(async () => (await product.client.session(session)).status === 'idle', {
      what: 'the turn is over',
      timeoutMs: 20_000,
    });
  }
  const counted = times.slice(1);
  return [
    figureRow(
      'Enter → first words in the page, parked',
      median(counted),
      'ms',
      { most: 150 },
      `Chromium, ${rounds} messages, p90 ${quantile(counted, 0.9).toFixed(0)} ms`,
    ),
  ];
}

/** A whole load of the page, its files in the browser's cache. */
async function measureOpening(page: Page, stack: Stack, product: Product, rounds: number): Promise<Row[]> {
  const session = await product.openSession();
  const events = await seedTurns(stack.postgres.url, session, LONG_EVENTS / EVENTS_PER_TURN);
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await page.goto(`${stack.url}/`);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.goto(`${stack.url}/sessions/${session}`, { waitUntil: 'commit' });
    times.push(await page.evaluate<number>(FIRST_ROW_SCRIPT));
  }
  return [
    figureRow(
      `opening a session of ${events} events, first paint of its rows`,
      median(times.slice(1)),
      'ms',
      { most: 400 },
      'Chromium, whole page load, files cached',
    ),
  ];
}

async function measureScrolling(page: Page, stack: Stack, product: Product): Promise<Row> {
  const session = await product.openSession();
  await seedTurns(stack.postgres.url, session, MANY_TURNS);
  await page.goto(`${stack.url}/sessions/${session}`);
  await page.locator('[data-row="message"], [data-row="item"]').first().waitFor();
  const { durations, rows } = await page.evaluate<{ durations: number[]; rows: number }>(scrollScript(FRAMES));
  return figureRow(
    'scrolling a long conversation, p95 frame',
    quantile(durations, 0.95),
    'ms',
    { most: 20 },
    `Chromium without a GPU, ${rows} rows, ${FRAMES} frames from end to start`,
  );
}
