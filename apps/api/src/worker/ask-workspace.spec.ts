import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { askWorkspace } from './ask-workspace';

const LIST = { act: 'list-files', sessionId: 'sess_1', path: '' } as const;
const COMMIT = { act: 'commit', sessionId: 'sess_1', message: 'm', author: { name: 'n', email: 'e' } } as const;
const FILE = { path: 'a', size: 1, encoding: 'utf8' as const, content: 'x', truncated: false };
const files: WorkspaceReply = { act: 'list-files', list: { data: [], nextCursor: null, total: 0, left: 0 } };
const silent: WorkspaceReply = { act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail: 'It did not answer in time.' };

/** Workers as they are found one after the other, and what each answers. */
function setUp(found: (string | null)[], replies: Record<string, WorkspaceReply>, dying: string[] = []) {
  const asked: string[] = [];
  const lookedFor: (string | null)[] = [];
  const parts = {
    lookedFor,
    workers: {
      forWorkspaceOf: async (sessionId: string | null) => {
        lookedFor.push(sessionId);
        return found.shift() ?? null;
      },
      untilGone: (workerId: string) =>
        dying.includes(workerId) ? Promise.resolve() : new Promise<void>(() => undefined),
    },
    workspaces: {
      request: async (workerId: string, _job: WorkspaceJob) => {
        asked.push(workerId);
        // The first life of one that dies never answers.
        if (dying.splice(dying.indexOf(workerId) >>> 0, 1).length > 0)
          return new Promise<WorkspaceReply>(() => undefined);
        return replies[workerId] as WorkspaceReply;
      },
    },
  };
  return { parts, asked };
}

describe('asking about a workspace', () => {
  it('asks the successor of a worker that died before it could answer', async () => {
    const { parts, asked } = setUp(['dead', 'alive'], { dead: silent, alive: files });
    expect(await askWorkspace(parts, LIST, 100)).toEqual(files);
    expect(asked).toEqual(['dead', 'alive']);
  });

  it('waits for no answer of a life that is over, and asks the next one', async () => {
    const { parts, asked } = setUp(['same', 'same'], { same: files }, ['same']);
    expect(await askWorkspace(parts, LIST, 60_000)).toEqual(files);
    expect(asked).toEqual(['same', 'same']);
  });

  it('says at once that the worker is gone where an act is done only once', async () => {
    const { parts, asked } = setUp(['same', 'same'], { same: files }, ['same']);
    await expect(askWorkspace(parts, COMMIT, 60_000)).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
      detail: expect.stringContaining('stopped while') as string,
    });
    expect(asked).toEqual(['same']);
  });

  it('asks a worker that is only slow once', async () => {
    const { parts, asked } = setUp(['slow', 'slow'], { slow: silent });
    await expect(askWorkspace(parts, LIST, 100)).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
      detail: 'It did not answer in time.',
    });
    expect(asked).toEqual(['slow']);
  });

  it('asks about a project whichever worker there is', async () => {
    const { parts, asked } = setUp(['any'], { any: { act: 'read-project-file', file: FILE } });
    expect(await askWorkspace(parts, { act: 'read-project-file', projectId: 'proj_1', path: 'a' }, 100)).toEqual({
      act: 'read-project-file',
      file: FILE,
    });
    expect([asked, parts.lookedFor]).toEqual([['any'], [null]]);
  });

  it('never asks for a second commit', async () => {
    const { parts, asked } = setUp(['dead', 'alive'], { dead: silent, alive: { act: 'commit', commit: 'abc' } });
    await expect(askWorkspace(parts, COMMIT, 100)).rejects.toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    expect(asked).toEqual(['dead']);
  });

  it('passes on other refusals, and says that no worker runs', async () => {
    const refused: WorkspaceReply = { act: 'refused', code: 'NOT_FOUND', detail: 'There is no such file.' };
    await expect(
      askWorkspace(setUp(['one', 'two'], { one: refused, two: files }).parts, LIST, 100),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(askWorkspace(setUp([], {}).parts, LIST, 100)).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
      detail: expect.stringContaining('No worker is running'),
    });
  });
});
