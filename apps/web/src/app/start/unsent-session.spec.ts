import type { Session } from '@chirality/contracts';
import { UnsentSession, type SessionStart } from './unsent-session';

const start = (projectId: string, model: string, workspace: Session['workspace'] = 'own'): SessionStart => ({
  projectId,
  model,
  workspace,
});

function build() {
  const archived: string[] = [];
  let made = 0;
  const unsent = new UnsentSession({
    create: () => Promise.resolve({ id: `sess_${(made += 1)}` } as Session),
    archive: ({ id }) => void archived.push(id),
  });
  return { unsent, archived };
}

describe('the session of a message that is not sent yet', () => {
  it('is shared by attempts with the same start', async () => {
    const { unsent, archived } = build();
    const first = await unsent.begin(start('proj_1', 'opus'));
    unsent.failed(true);
    expect([await unsent.begin(start('proj_1', 'opus')), archived]).toEqual([first, []]);
  });

  it.each([
    ['another project is meant', start('proj_2', 'opus')],
    ['another model is meant', start('proj_1', 'haiku')],
    ['other files are meant', start('proj_1', 'opus', 'shared')],
  ])('is archived when %s', async (_, other) => {
    const { unsent, archived } = build();
    await unsent.begin(start('proj_1', 'opus'));
    unsent.failed(true);
    expect([(await unsent.begin(other)).id, archived]).toEqual(['sess_2', ['sess_1']]);
  });

  it('is archived when it takes no files, or its field is left, and never once its message is sent', async () => {
    const { unsent, archived } = build();
    await unsent.begin(start('proj_1', ''));
    unsent.failed(false);
    expect(archived).toEqual(['sess_1']);
    await unsent.begin(start('proj_1', ''));
    unsent.failed(true);
    unsent.left();
    expect(archived).toEqual(['sess_1', 'sess_2']);
    unsent.entered();
    await unsent.begin(start('proj_1', ''));
    unsent.sent();
    unsent.left();
    expect(archived).toEqual(['sess_1', 'sess_2']);
  });

  it('outlives its field while its files are on their way', async () => {
    const { unsent, archived } = build();
    await unsent.begin(start('proj_1', ''));
    unsent.left();
    expect(archived).toEqual([]);
    unsent.failed(true);
    expect(archived).toEqual(['sess_1']);
  });
});
