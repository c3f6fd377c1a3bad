import { commitFiles } from './commit-files';

const ORDER = { message: 'Add a file', author: { name: 'Ada', email: 'ada@example.test' } };
const COMMIT = '0123456789012345678901234567890123456789';

/** A script that prints this, and was ended before its end or not. */
function printing(text: string, complete: boolean) {
  const scan = async (_script: unknown, look: (chunk: Buffer) => boolean) => {
    look(Buffer.from(text));
    return { complete };
  };
  return {
    scripts: { scan } as never,
    workspace: { workspace: '/w', snapshot: '/s', objects: '/o', baseCommit: COMMIT, lockFile: '/l' },
    timeoutMs: 1_000,
  };
}

describe('a commit of the files', () => {
  it('is the last line that the script prints', async () => {
    expect(await commitFiles(printing(`add 'a'\n\n${COMMIT}\n`, true), ORDER)).toBe(COMMIT);
  });

  it('is none when the script was ended while it took files', async () => {
    await expect(commitFiles(printing(`add 'a'\nadd 'b'\n`, false), ORDER)).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
    });
  });
});
