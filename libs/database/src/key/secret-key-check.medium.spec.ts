import { SecretBox } from '@chirality/platform';
import { startTestDatabase, type TestDatabase } from '@chirality/testing';
import { SecretKeyCheck } from './secret-key-check';

jest.setTimeout(60_000);

describe('the check of the secret key', () => {
  let test: TestDatabase;
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const check = (key: Buffer, earlier: Buffer[] = []) => new SecretKeyCheck(test, new SecretBox(key, earlier));
  beforeAll(async () => {
    test = await startTestDatabase();
  });
  afterAll(() => test.close());

  it('knows the key that the database was set up with, through its change and its loss', async () => {
    expect(await check(second).verify()).toBe('unchecked');
    expect(await Promise.all([check(first).establish(), check(first).establish()])).toEqual(['same', 'same']);
    expect([await check(first).verify(), await check(second).verify(), await check(second).establish()]).toEqual([
      'same',
      'other',
      'other',
    ]);
    // A change of the key: the new one with the old one beside it, then alone.
    expect(await check(second, [first]).establish()).toBe('same');
    expect([await check(second).verify(), await check(first).verify()]).toEqual(['same', 'other']);
    // A lost key.
    expect(await check(first).establish({ replace: true })).toBe('same');
    expect([await check(first).verify(), await check(second).verify()]).toEqual(['same', 'other']);
  });
});
