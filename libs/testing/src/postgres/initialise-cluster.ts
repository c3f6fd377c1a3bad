import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverIdentity } from '../guarded-process';
import { postgresBinaries } from './postgres-binaries';

/**
 * Makes the data directory of an empty cluster. initdb refuses root and also a uid without an account, which the
 * server itself does not mind: so root borrows an ordinary account for initdb and hands the files over after it.
 */
export function initialiseCluster(directory: string, data: string): void {
  const owner = serverIdentity();
  const account = owner ? ordinaryAccount() : null;
  if (account) chownSync(directory, account.uid, account.gid);
  execFileSync(
    join(postgresBinaries(), 'initdb'),
    ['-D', data, '-U', 'chirality', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C', '--no-instructions'],
    { stdio: 'pipe', env: { LC_ALL: 'C', TZ: 'UTC' }, ...(account ?? {}) },
  );
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, directory]);
}

function ordinaryAccount(): { uid: number; gid: number } {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const account = accounts.find(({ name }) => name === 'nobody') ?? accounts[0];
  if (!account) throw new Error('initdb needs an ordinary account in /etc/passwd');
  return { uid: account.uid, gid: account.gid };
}
