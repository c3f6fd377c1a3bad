import { orWithout } from '../call/host-call-error';
import { jobsSchema, runsSchema } from './gitea-answers';
import { MAX_LOGS } from './host-text';

const MAX_RUNS = 10;

/** Reads one path of the repository's API, as JSON or, of a log, the end of its text. */
export type GiteaReading = { json(path: string): Promise<unknown>; tail(path: string): Promise<string> };

/**
 * The logs of a commit's jobs that failed, by the name of the status that each of them sets. Gitea gives them out
 * from 1.25 on; where the host has no such routes, as before and at Forgejo, or the account may not read them, there
 * are none.
 */
export async function readJobLogs(
  read: GiteaReading,
  sha: string,
  failed: readonly string[],
): Promise<Map<string, string>> {
  const logs = new Map<string, string>();
  if (failed.length === 0) return logs;
  const runs = await listed(
    read.json(`actions/runs?head_sha=${encodeURIComponent(sha)}&limit=${MAX_RUNS}`),
    (answer) => runsSchema.safeParse(answer).data?.workflow_runs,
  );
  const jobs = await Promise.all(
    runs
      .slice(0, MAX_RUNS)
      .map(({ id }) =>
        listed(read.json(`actions/runs/${id}/jobs`), (answer) => jobsSchema.safeParse(answer).data?.jobs),
      ),
  );
  const wanted = jobs
    .flat()
    .filter(({ conclusion }) => conclusion === 'failure')
    .flatMap(({ id, name }) => {
      const check = failed.find((context) => isOfJob(context, name));
      return check === undefined ? [] : [{ id, check }];
    });
  await Promise.all(
    wanted.slice(0, MAX_LOGS).map(async ({ id, check }) => {
      const text = await read.tail(`actions/jobs/${id}/logs`).catch(() => '');
      if (text !== '') logs.set(check, text);
    }),
  );
  return logs;
}

/** Its statuses are called `workflow / job (event)`. */
function isOfJob(context: string, job: string): boolean {
  return context === job || context.includes(`/ ${job} (`) || context.endsWith(`/ ${job}`);
}

async function listed<T>(answer: Promise<unknown>, rowsOf: (answer: unknown) => T[] | null | undefined): Promise<T[]> {
  return rowsOf(await orWithout<unknown>(answer, null)) ?? [];
}
