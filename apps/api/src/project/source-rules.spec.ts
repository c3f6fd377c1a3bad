import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseUnusableSource, usableGitUrl } from './source-rules';

describe('a directory as a source', () => {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'chirality-roots-'));
    for (const name of ['proj1', 'proj1/inner', 'proj10']) mkdirSync(join(base, name));
    symlinkSync(join(base, 'proj10'), join(base, 'proj1', 'way-out'));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  const open = (path: string) => refuseUnusableSource({ kind: 'directory', path }, [join(base, 'proj1')]);

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
  it('is https to a public name', () => {
    expect(usableGitUrl('https://git.example/team/repo.git')).toBe('https://git.example/team/repo.git');
  });

  it.each([
    'http://git.example/r',
    'ssh://git@git.example/r',
    'git@git.example:r',
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
    expect(() => usableGitUrl(url)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error);
  });
});
