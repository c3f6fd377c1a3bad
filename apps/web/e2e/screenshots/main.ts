import { join } from 'node:path';
import { BrowserStack } from '../support/browser-stack';
import type { Dashboard } from '../support/dashboard';

/** Pictures are taken once, on any machine: a slow one may take its time. */
const MAX_WAIT_MS = 180_000;
const SIZE = { width: 1280, height: 800 };

/** A session as a team meets it: an explained project, and a command that waits for permission. */
async function playSession(product: BrowserStack): Promise<string> {
  const project = await product.owner.call<{ id: string }>('POST', '/v1/projects', { name: 'Shop', source: { kind: 'empty', sample: true } });
  const session = await product.owner.createSession(project.body.id, { visibility: 'project', title: 'Check the tests' });
  const turn = await product.owner.send(session.id, 'Explain this project');
  await product.owner.waitForEnd(session.id, turn.id, MAX_WAIT_MS);
  await product.owner.send(session.id, 'Run the tests');
  return session.id;
}

async function photograph(dashboard: Dashboard, sessionId: string, path: string): Promise<void> {
  await dashboard.openSession(sessionId);
  await dashboard.page.getByRole('button', { name: /^Allow/ }).first().waitFor({ timeout: MAX_WAIT_MS });
  await dashboard.page.evaluate(() => document.fonts.ready.then(() => undefined));
  await dashboard.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}

async function main(directory: string): Promise<void> {
  const product = await BrowserStack.start({ model: 'demo' });
  try {
    const sessionId = await playSession(product);
    for (const colorScheme of ['light', 'dark'] as const) {
      const dashboard = await product.openSignedIn(undefined, { viewport: SIZE, colorScheme });
      await photograph(dashboard, sessionId, join(directory, `session-${colorScheme}.png`));
      await dashboard.close();
    }
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
