import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProjectRepositories } from './project-repositories';
import type { ProjectRecord } from './project.types';
import { isLaterBundle, refreshedKey } from './refreshed-bundles';

type Parts = ConstructorParameters<typeof ProjectRepositories>[1];

const FETCHED = 'projects/proj_1/fetch-1.bundle';
const refreshed = (attempt: number) => refreshedKey('proj_1', attempt);

describe('a row of a project that was read before a refresh', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chi-projects-'));
    mkdirSync(join(root, 'proj_1'));
    const record = { bundleKey: refreshed(10), branch: 'main', baseCommit: 'c10' };
    writeFileSync(join(root, 'proj_1', 'project.json'), JSON.stringify(record));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it.each([FETCHED, refreshed(9), refreshed(10)])(
    'gets what is here, and nothing is built for %s',
    async (bundleKey) => {
      const built: string[] = [];
      const blobs = { get: async (key: string) => (built.push(key), null) };
      const repositories = new ProjectRepositories(root, { blobs } as unknown as Parts);
      const project = { id: 'proj_1', bundleKey, baseCommit: 'c1' } as ProjectRecord;
      expect(await repositories.ensure(project)).toMatchObject({ bundleKey: refreshed(10), baseCommit: 'c10' });
      expect(built).toEqual([]);
    },
  );

  it('differs from one that was read after it', () => {
    expect([isLaterBundle(refreshed(10), refreshed(11)), isLaterBundle(FETCHED, refreshed(1))]).toEqual([false, false]);
  });
});
