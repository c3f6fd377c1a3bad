import { expect, refusalOf, type Scenario } from './scenario';

/** Long enough to open a session before it ends. */
const SHORT_MS = 4_000;
const REVOKED_WITHIN_MS = 1_000;

const expiry: Scenario = {
  name: 'expiry',
  law: 'After its end a token is refused with TOKEN_EXPIRED.',
  needs: [],
  async run({ withToken, prompts }) {
    const expiresAt = new Date(Date.now() + SHORT_MS);
    const { driver } = await withToken({ identityClass: 'human', expiresAt });
    const session = await driver.createSession();
    await new Promise((resolve) => setTimeout(resolve, expiresAt.getTime() - Date.now() + 500));
    const { code } = await refusalOf('a message with a token that has ended', driver.send(session, prompts.answer));
    expect(code === 'TOKEN_EXPIRED', `the code is ${code}`);
  },
};

const revocation: Scenario = {
  name: 'revocation',
  law: 'A revoked token is refused with TOKEN_REVOKED, and what it follows ends within a second.',
  needs: [],
  async run({ withToken, prompts }) {
    const { driver, revoke } = await withToken({ identityClass: 'human' });
    const session = await driver.createSession();
    const following = await driver.follow?.(session, 0);
    await revoke();
    if (following) {
      const limit = new Promise<'open'>((resolve) => setTimeout(() => resolve('open'), REVOKED_WITHIN_MS));
      expect((await Promise.race([following.ended, limit])) !== 'open', 'the stream is open a second later');
    }
    const { code } = await refusalOf('a message with a revoked token', driver.send(session, prompts.answer));
    expect(code === 'TOKEN_REVOKED', `the code is ${code}`);
  },
};

/** The end of a token. */
export const TOKEN_SCENARIOS: readonly Scenario[] = [expiry, revocation];
