import { AttachmentCleaner } from './attachment-cleaner';

describe('the cleaner of attachments', () => {
  it('goes past a blob that cannot be deleted, says why, and keeps its row', async () => {
    const removed: string[] = [];
    const errors: unknown[] = [];
    const stuck = new Error('read-only');
    const cleaner = new AttachmentCleaner(
      {
        takeObsolete: async () => ['a', 'b', 'c'].map((id) => ({ id, sessionId: 's' })),
        completeRemoval: async (id) => void removed.push(id),
      },
      {
        delete: async (key) => {
          if (key.endsWith('a')) throw stuck;
        },
      },
      (error) => errors.push(error),
    );
    cleaner.onModuleDestroy();
    expect(await cleaner.clean()).toBe(2);
    expect(removed).toEqual(['b', 'c']);
    expect(errors).toEqual([stuck]);
  });
});
