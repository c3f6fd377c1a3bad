import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';

/** What `login` keeps: one server, and the token for it. */
type StoredAccount = { server: string; token: string };

const FILE = 'account.json';

/** Null where this user has not signed in here. */
export function readAccount(directory: string): StoredAccount | null {
  let text: string;
  try {
    text = readFileSync(join(directory, FILE), 'utf8');
  } catch {
    return null;
  }
  try {
    const { server, token } = JSON.parse(text) as Partial<StoredAccount>;
    if (typeof server === 'string' && typeof token === 'string') return { server, token };
  } catch {
    // Said below.
  }
  throw new Failure(EXIT.failed, `${join(directory, FILE)} cannot be read. Run chirality login again.`);
}

/** Only its user can read it, at every moment; a process that dies meanwhile leaves the earlier one. */
export function storeAccount(directory: string, account: StoredAccount): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const temporary = join(directory, `.${FILE}.${randomUUID()}`);
  writeFileSync(temporary, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, join(directory, FILE));
}

export function removeAccount(directory: string): void {
  rmSync(join(directory, FILE), { force: true });
}
