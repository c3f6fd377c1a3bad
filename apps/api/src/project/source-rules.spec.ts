import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_PRIVATE_HOSTS, parsePrivateHosts } from '@chirality/domain';
import { refuseUnusableSource, usableGitUrl } from './source-rules';

describe('a directory as a source', () => {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'chirality-roots-'));
    for (const name of ['proj1', 'proj1/inner', 'proj10']) mkdirSync(join(base, name));
    symlinkSync(join(base, 'proj10'), join(base, 'proj1', 'way-out'));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  const open = (path: string) =>
    refuseUnusableSource(
      { kind: 'directory', path },
      { allowedRoots: [join(base, 'proj1')], privateHosts: NO_PRIVATE_HOSTS },
    );

  it('may be an allowed root or lie under it', async () => {
    expect(await open(join(base, 'proj1'))).toEqual({ kind: 'directory', path: join(base, 'proj1') });
    expect(await open(join(base, 'proj1', 'inner', '..', 'inner'))).toEqual({
      kind: 'directory',
      path: join(base, 'proj1', 'inner'),
    });
  });

  it.each(['proj10', 'proj1/way-out', 'proj1/..', 'missing', 'proj1/\0'])('may not be %s', async (name) => {
    await expect(open(`${base}/${name}`)).rejects.toMatchObject({ code: 'WORKING_ROOT_INACCESSIBLE' });
  });

  it.each(['/', '/etc', 'proj1', '.'])('may not be %s', async (path) => {
    await expect(open(path)).rejects.toMatchObject({ code: 'WORKING_ROOT_INACCESSIBLE' });
  });
});

describe('a git address', () => {
  it.each(['https://git.example/team/repo.git', 'ssh://git@git.example/r', 'git@git.example:r'])('may be %s', (url) => {
    expect(usableGitUrl(url, NO_PRIVATE_HOSTS)).toBe(url);
  });

  it('leads to a private name only where the operator lists it', () => {
    const url = 'https://intranet/r';
    expect(usableGitUrl(url, parsePrivateHosts(['intranet']))).toBe(url);
  });

  it('may name a branch, and no option in its place', async () => {
    const source = (branch: string) =>
      refuseUnusableSource(
        { kind: 'git', url: 'https://git.example/r', branch },
        { allowedRoots: [], privateHosts: NO_PRIVATE_HOSTS },
      );
    expect(await source(' feature/x ')).toEqual({ kind: 'git', url: 'https://git.example/r', branch: 'feature/x' });
    await expect(source('--upload-pack=id')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it.each([
    'http://git.example/r',
    'file:///etc',
    'ext::sh -c id',
    '--upload-pack=x',
    'https://user:secret@git.example/r',
    'https://localhost/r',
    'https://127.0.0.1/r',
    'https://2130706433/r',
    'https://0x7f.1/r',
    'https://[::1]/r',
    'https://169.254.169.254/r',
    'https://metadata.internal/r',
    'https://intranet/r',
  ])('is not %s', (url) => {
    expect(() => usableGitUrl(url, NO_PRIVATE_HOSTS)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error,
    );
  });
});
