import type { SourceProgress } from '@chirality/contracts';
import { ProgressReports } from './progress-reports';

const CONNECTING: SourceProgress = { phase: 'connecting', percent: null, bytes: null };

it('writes what was seen of the remote before it ends, and nothing else that was not asked for', async () => {
  const written: SourceProgress[] = [];
  const reports = new ProgressReports(CONNECTING, async (progress) => void written.push(progress));
  await reports.end();
  reports.tell({ ...CONNECTING, percent: 3 });
  await reports.end();
  expect(written).toEqual([CONNECTING]);
  const remote = { commit: 'a'.repeat(40), behind: 2 };
  reports.tell({ ...CONNECTING, remote });
  await reports.end();
  expect(written.at(-1)).toEqual({ ...CONNECTING, remote });
  expect(written).toHaveLength(2);
});
