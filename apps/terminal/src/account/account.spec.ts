import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionOf } from './connect';
import { readAccount, storeAccount } from './stored-account';
import { readTokenFile } from './token-file';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'account-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('what login keeps is for its user alone', () => {
  const place = join(directory, 'chirality');
  expect(readAccount(place)).toBeNull();
  storeAccount(place, { server: 'http://a', token: 'one' });
  storeAccount(place, { server: 'http://a', token: 'two' });
  expect(readAccount(place)).toEqual({ server: 'http://a', token: 'two' });
  expect([modeOf(place), modeOf(join(place, 'account.json'))]).toEqual(['700', '600']);
  expect(readFileSync(join(place, 'account.json'), 'utf8')).not.toContain('one');
});

describe('a token file', () => {
  const file = (mode: number, text = 'chi_abc\n') => {
    const path = join(directory, `token-${mode}`);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  it('is read where only its owner can', () => {
    expect(readTokenFile(file(0o400))).toBe('chi_abc');
  });

  it.each([0o600, 0o440, 0o404, 0o644, 0o500, 0o4400])('is refused with mode %i', (mode) => {
    expect(() => readTokenFile(file(mode))).toThrow('chmod 0400');
  });

  it('is refused where there is no token in it', () => {
    expect(() => readTokenFile(file(0o400, '\n'))).toThrow('no token');
    expect(() => readTokenFile(join(directory, 'none'))).toThrow('cannot be read');
  });
});

describe('where and as whom', () => {
  const from = (given: Parameters<typeof connectionOf>[0], env = {}) =>
    connectionOf(given, { token: undefined, url: undefined, configDirectory: directory, noColour: true, ...env });

  it('options win over the environment, which wins over what login kept', () => {
    storeAccount(directory, { server: 'http://kept', token: 'kept' });
    expect(from({})).toEqual({ server: 'http://kept', token: 'kept' });
    expect(from({}, { token: 'env' })).toEqual({ server: 'http://kept', token: 'env' });
    expect(from({ server: 'http://given/' }, { url: 'http://env', token: 'env' })).toEqual({
      server: 'http://given',
      token: 'env',
    });
  });

  it('the token that login kept goes to its own server only', () => {
    storeAccount(directory, { server: 'http://kept', token: 'kept' });
    expect(() => from({ server: 'http://other' })).toThrow('not signed in');
  });

  it('an address has to be one', () => {
    expect(() => from({ server: 'ftp://x' }, { token: 't' })).toThrow('http');
    expect(() => from({ server: 'https://user:secret@x' }, { token: 't' })).toThrow('no name');
  });
});
