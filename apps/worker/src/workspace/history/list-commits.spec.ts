import { listCommits } from './list-commits';

const ID = '0123456789012345678901234567890123456789';

/** A script that prints these dates, each of one commit. */
function printing(...dates: string[]) {
  const stdout = Buffer.from(
    `${dates.length}\0${dates.map((date) => `${ID}\0Ada\0ada@example.test\0${date}\0Add a file\0`).join('')}`,
  );
  const scripts = { run: async () => ({ stdout, truncated: false }) };
  return {
    scripts: scripts as never,
    workspace: { workspace: '/w', snapshot: '/s', objects: '/o', baseCommit: ID, lockFile: '/l' },
    timeoutMs: 1_000,
  };
}

describe('the list of commits', () => {
  it('has every commit, whatever date its author wrote into it', async () => {
    const reply = await listCommits(
      printing('2026-11-29T01:00:00+01:00', '10000-01-01T00:00:00+00:00', '2026-11-29T01:00:00+99:00', ''),
      0,
    );
    const epoch = '1970-01-01T00:00:00.000Z';
    expect(reply).toMatchObject({
      commits: {
        total: 4,
        data: ['2026-11-29T00:00:00.000Z', epoch, epoch, epoch].map((at) => ({ at, subject: 'Add a file' })),
      },
    });
  });
});
