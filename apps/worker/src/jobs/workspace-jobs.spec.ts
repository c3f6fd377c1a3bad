import { ProblemError } from '@chirality/platform';
import { WorkspaceJobs } from './workspace-jobs';

const commit = (sessionId: string) => ({
  act: 'commit' as const,
  sessionId,
  message: 'Add a file',
  author: { name: 'Ada', email: 'ada@example.test' },
});
const compare = { act: 'diff', sessionId: 's', query: { scope: 'session' } } as const;

describe('acts on files', () => {
  it('of a project wait for no other project’s repository to be built, however many ask for that', async () => {
    let built: () => void = () => undefined;
    const building = new Promise<never>((resolve) => (built = () => resolve({} as never)));
    const jobs = new WorkspaceJobs({
      acts: {} as never,
      openProject: (projectId) => (projectId === 'slow' ? building : Promise.resolve({} as never)),
      scripts: {} as never,
      personas: { read: (projectId) => Promise.resolve(`commit of ${projectId}`) },
      prompts: {} as never,
      downloads: {} as never,
      blobs: {} as never,
      listBranches: {} as never,
      pushes: {} as never,
      log: {} as never,
    });
    const read = (projectId: string) => jobs.handle({ act: 'read-personas', projectId });
    const slow = Array.from({ length: 20 }, () => read('slow'));
    expect(await read('quick')).toEqual({ act: 'read-personas', commit: 'commit of quick' });
    built();
    expect(await Promise.all(slow)).toEqual(slow.map(() => ({ act: 'read-personas', commit: 'commit of slow' })));
  });

  it('are compared while commits take their time', async () => {
    const stuck: ((commit: string) => void)[] = [];
    const acts = {
      forWriting: () => new Promise<string>((resolve) => stuck.push(resolve)),
      forReading: () => Promise.reject(new ProblemError('NOT_FOUND', 'There is no such session.')),
    };
    const jobs = new WorkspaceJobs({
      acts: acts as never,
      openProject: {} as never,
      scripts: {} as never,
      personas: {} as never,
      prompts: {} as never,
      downloads: {} as never,
      blobs: {} as never,
      listBranches: {} as never,
      pushes: {} as never,
      log: {} as never,
    });
    const commits = ['a', 'b'].map((sessionId) => jobs.handle(commit(sessionId)));
    expect(await jobs.handle(compare)).toMatchObject({ act: 'refused', code: 'NOT_FOUND' });
    for (const finish of stuck) finish('abc');
    expect(await Promise.all(commits)).toEqual([
      { act: 'commit', commit: 'abc' },
      { act: 'commit', commit: 'abc' },
    ]);
  });
});
