import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseUnifiedDiff } from '@chirality/domain';
import { createBlobStore, newRelayId, readRelay } from '@chirality/platform';
import { useOperationFixture, type OperationFixture } from '../../test/operation-fixture';
import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import type { ActContext } from './act/act-context';
import { findFiles } from './browse/find-files';
import { listFiles } from './browse/list-files';
import { readFile } from './browse/read-file';
import { Downloads } from './download/downloads';
import { commitFiles } from './history/commit-files';
import { diffFiles } from './history/diff-files';
import { filePatch } from './history/file-patch';
import { writeFile } from './upload/write-file';

jest.setTimeout(120_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

/** As a script's `printf` writes them, and as they are on the wire. */
const NAMES: [printf: string, path: string][] = [
  ['日本語.md', '日本語.md'],
  ['👩‍💻.ts', '👩‍💻.ts'],
  [String.raw`a"b.txt`, 'a"b.txt'],
  [String.raw`back\\slash`, 'back\\slash'],
  [String.raw`tab\tname`, 'tab\tname'],
  [String.raw`new\nline`, 'new\nline'],
  [String.raw`end\n`, 'end\n'],
  [' lead', ' lead'],
  ['-rf', '-rf'],
  [String.raw`latin \344\366.txt`, 'latin \ufffdE4\ufffdF6.txt'],
  [String.raw`d \377"\n/\346\227.txt`, 'd \ufffdFF"\n/\ufffdE6\ufffd97.txt'],
  [String.raw`mark\357\277\275FF`, 'mark\ufffdEF\ufffdBF\ufffdBDFF'],
];
const PATHS = NAMES.map(([, path]) => path).toSorted();
const session = { scope: 'session' } as const;

describeAsOrdinaryUser('a file of any name', () => {
  beforeEach(async () => {
    const make = NAMES.map(
      ([name], at) =>
        `n=$(printf '%b.' '${name.replaceAll(/\\(\d)/g, String.raw`\0$1`)}'); n=./$\{n%.}; mkdir -p "$\{n%/*}"; printf 'content ${at}\\n' > "$n"`,
    );
    await fixture.agent(context, make.join('\n'));
  });

  it('is listed, found, opened and replaced under the name that a list gives it', async () => {
    const listed = async (path: string) => {
      const reply = await listFiles(context, path);
      return reply.act === 'list-files' ? reply.list.data.map((entry) => entry.path) : [];
    };
    expect(await listed('d \ufffdFF"\n')).toEqual(['d \ufffdFF"\n/\ufffdE6\ufffd97.txt']);
    const top = PATHS.map((path) => path.split('/')[0]);
    expect(new Set(await listed(''))).toEqual(new Set([...top, 'dir', 'a.txt']));
    expect(await findFiles(context, '', '\ufffdE6\ufffd97.t')).toMatchObject({
      list: { data: [{ path: 'd \ufffdFF"\n/\ufffdE6\ufffd97.txt' }] },
    });
    for (const [at, [, path]] of NAMES.entries())
      expect(await readFile(context, path)).toMatchObject({ file: { path, content: `content ${at}\n` } });

    const { blobs } = fixture.files;
    for (const path of PATHS) {
      await blobs.put('relays/x/content', Buffer.from('replaced\n'));
      const order = { path, key: 'relays/x/content', bytes: 9 };
      expect(await writeFile(context, blobs, order)).toMatchObject({ file: { path, size: 9 } });
    }
    expect(await fixture.agent(context, 'grep -rl content . --exclude-dir=.git | wc -l')).toBe('0\n');
  });

  it('is downloaded alone', async () => {
    const root = mkdtempSync(join(tmpdir(), 'chi-'));
    const blobs = createBlobStore(`file:${root}`);
    const downloads = new Downloads(blobs, { warn: () => undefined });
    try {
      for (const [at, [, path]] of NAMES.entries()) {
        const relay = newRelayId();
        const order = { sessionId: 's', userId: 'u', relay, wanted: { form: 'file', path } } as const;
        expect(await downloads.open(context, order)).toMatchObject({ bytes: `content ${at}\n`.length });
        expect(await text(readRelay(blobs, relay))).toBe(`content ${at}\n`);
      }
    } finally {
      await downloads.close();
      rmSync(root, { recursive: true });
    }
  });

  it('is in the list of changes, in their patch, in its own patch and in a commit, without an escape of git’s', async () => {
    const { diff } = (await diffFiles(context, session)) as { diff: { files: { path: string }[]; patch: string } };
    expect(diff.files.map(({ path }) => path).toSorted()).toEqual(PATHS);
    const patches = parseUnifiedDiff(diff.patch);
    expect(patches.map(({ path }) => path).toSorted()).toEqual(PATHS);
    expect(patches.every(({ additions }) => additions === 1)).toBe(true);
    expect(diff.patch).not.toMatch(/\\[0-7]{3}/);
    for (const path of PATHS) {
      const reply = await filePatch(context, { ...session, path, from: 0 });
      if (reply.act !== 'file-patch') throw new Error(reply.act);
      expect(parseUnifiedDiff(reply.patch.patch)).toMatchObject([{ additions: 1 }]);
    }
    await commitFiles(context, { message: 'All', author: { name: 'Ada', email: 'ada@example.com' }, paths: PATHS });
    expect(
      await fixture.agent(context, 'git status --porcelain; git show --format= --name-only -z | tr -dc "\\0" | wc -c'),
    ).toBe(`${PATHS.length}\n`);
    expect(readdirSync(context.workspace.workspace)).toContain('日本語.md');
  });
});
