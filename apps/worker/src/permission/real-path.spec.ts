import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realPathOf } from './real-path';

describe('the path that a tool really reaches', () => {
  let host: string;
  const reach = (path: string): Promise<string | null> => realPathOf(path, { inside: '/workspace', host });

  beforeAll(() => {
    host = mkdtempSync(join(tmpdir(), 'chirality-real-path-'));
    mkdirSync(join(host, 'secret'));
    mkdirSync(join(host, 'src/deep'), { recursive: true });
    writeFileSync(join(host, 'secret/a'), '');
    symlinkSync('secret', join(host, 'link'));
    symlinkSync('../link', join(host, 'src/other'));
    symlinkSync('/workspace/src', join(host, 'absolute'));
    symlinkSync('/etc', join(host, 'out'));
    symlinkSync('round', join(host, 'round'));
  });
  afterAll(() => rmSync(host, { recursive: true, force: true }));

  it.each([
    ['/workspace/secret/a', '/workspace/secret/a'],
    ['secret/./a', '/workspace/secret/a'],
    ['/workspace/link/a', '/workspace/secret/a'],
    ['/workspace/src/other/new', '/workspace/secret/new'],
    ['/workspace/absolute/deep/../x', '/workspace/src/x'],
    // The kernel goes up from where a link leads.
    ['/workspace/absolute/deep/../../link', '/workspace/secret'],
    ['/workspace/out/passwd', '/etc/passwd'],
    ['/workspace/../workspace/link', '/workspace/secret'],
    ['/tmp/link', '/tmp/link'],
    ['/..', '/'],
    ['/workspace/round/a', null],
  ])('%s is %s', async (path, real) => expect(await reach(path)).toBe(real));
});
