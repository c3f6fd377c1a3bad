import { join } from 'node:path';
import { BrowserStack } from '../support/browser-stack';
import type { Dashboard } from '../support/dashboard';

/** Pictures are taken once, on any machine: a slow one may take its time. */
const MAX_WAIT_MS = 180_000;
const SIZE = { width: 1280, height: 800 };

/** A session as a team meets it: a project that was explained. */
async function playSession(product: BrowserStack): Promise<string> {
  const project = await product.owner.call<{ id: string }>('POST', '/v1/projects', {
    name: 'Shop',
    source: { kind: 'empty', sample: true },
  });
  const session = await product.owner.createSession(project.body.id, {
    visibility: 'project',
    title: 'Check the tests',
  });
  const turn = await product.owner.send(session.id, 'Explain this project');
  await product.owner.waitForEnd(session.id, turn.id, MAX_WAIT_MS);
  return session.id;
}

async function openSession(
  product: BrowserStack,
  sessionId: string,
  colorScheme: 'light' | 'dark',
): Promise<Dashboard> {
  const dashboard = await product.openSignedIn(undefined, { viewport: SIZE, colorScheme });
  await dashboard.openSession(sessionId);
  return dashboard;
}

async function photograph(dashboard: Dashboard, path: string): Promise<void> {
  await dashboard.page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .waitFor({ timeout: MAX_WAIT_MS });
  await dashboard.page.evaluate(() => document.fonts.ready.then(() => undefined));
  await dashboard.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}

async function main(directory: string): Promise<void> {
  const product = await BrowserStack.start({ model: 'demo' });
  try {
    const sessionId = await playSession(product);
    // Opened before the command asks: a request that no one can see is denied within a minute.
    const light = await openSession(product, sessionId, 'light');
    const dark = await openSession(product, sessionId, 'dark');
    await product.owner.send(sessionId, 'Run the tests');
    await photograph(light, join(directory, 'session-light.png'));
    await photograph(dark, join(directory, 'session-dark.png'));
  } finally {
    await product.stop();
  }
}

main(process.argv.at(-1) ?? '.').then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
