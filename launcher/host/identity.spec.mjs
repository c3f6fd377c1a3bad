import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOf, anyOrdinaryAccount, decideIdentity, firstOutOfReach } from './identity.mjs';

const ACCOUNTS = [
  { name: 'root', uid: 0, gid: 0, home: '/root' },
  { name: 'daemon', uid: 1, gid: 1, home: '/' },
  { name: 'nobody', uid: 65534, gid: 65534, home: '/nonexistent' },
];

describe('who runs the service', () => {
  it('is never root', () => {
    expect(decideIdentity('/').uid).not.toBe(0);
  });

  it('borrows `nobody`, or else any ordinary account, for programs that insist on one', () => {
    expect(anyOrdinaryAccount(ACCOUNTS)?.name).toBe('nobody');
    expect(anyOrdinaryAccount(ACCOUNTS.slice(0, 2))?.name).toBe('daemon');
    expect(anyOrdinaryAccount(ACCOUNTS.slice(0, 1))).toBeNull();
    expect([accountOf(1, ACCOUNTS)?.name, accountOf(10_001, ACCOUNTS)]).toEqual(['daemon', null]);
  });
});

describe('firstOutOfReach', () => {
  it('names the first path that cannot be used as asked, whatever characters it has', () => {
    const directory = mkdtempSync(join(tmpdir(), "chi 'quoted' "));
    /** @type {import('./identity.mjs').Owner} */
    const self = { foreign: false };
    expect(
      firstOutOfReach(self, [
        ['r', directory],
        ['w', directory],
        ['x', '/bin/sh'],
      ]),
    ).toBeNull();
    expect(
      firstOutOfReach(self, [
        ['r', directory],
        ['x', join(directory, 'missing')],
        ['r', '/missing'],
      ]),
    ).toBe(join(directory, 'missing'));
    rmSync(directory, { recursive: true });
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('asks as the one who will use them', () => {
    const directory = mkdtempSync(join(tmpdir(), 'chi-'));
    /** @type {import('./identity.mjs').Owner} */
    const other = { foreign: true, uid: 10_001, gid: 10_001 };
    expect(firstOutOfReach(other, [['x', directory]])).toBe(directory);
    chmodSync(directory, 0o755);
    expect(firstOutOfReach(other, [['x', directory]])).toBeNull();
    expect(firstOutOfReach(other, [['w', directory]])).toBe(directory);
    rmSync(directory, { recursive: true });
  });
});
