import { commitFiles } from './commit-files';

const ORDER = { message: 'Add a file', author: { name: 'Ada', email: 'ada@example.test' } };
const COMMIT = '0123456789012345678901234567890123456789';

/** A script that prints this, and was ended before its end or not. */
function printing(text: string, complete: boolean) {
  const scan = async (_script: unknown, look: (chunk: Buffer) => boolean) => {
    look(Buffer.from(text));
    return { complete };
  };
  const afterwards: string[] = [];
  const run = async ({ text }: { text: string }) => void afterwards.push(text);
  return {
    afterwards,
    scripts: { scan, run } as never,
    workspace: { workspace: '/w', snapshot: '/s', objects: '/o', baseCommit: COMMIT, lockFile: '/l' },
    timeoutMs: 1_000,
  };
}

describe('a commit of the files', () => {
  it('is the last line that the script prints', async () => {
    const context = printing(`add 'a'\n\n${COMMIT}\n`, true);
    expect(await commitFiles(context, ORDER)).toBe(COMMIT);
    expect(context.afterwards).toEqual([]);
  });

  it('is none when the script was ended while it took files', async () => {
    const context = printing(`add 'a'\nadd 'b'\n`, false);
    await expect(commitFiles(context, ORDER)).rejects.toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    expect(context.afterwards).toEqual(['clear_locks']);
  });
});
