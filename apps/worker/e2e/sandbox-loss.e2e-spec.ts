import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance, Readiness, Turn } from '@chirality/contracts';
import { canHaveOwnMounts, waitFor, withOwnMounts } from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { Stopwatch } from './support/stopwatch';
import { talk } from './support/talk';

jest.setTimeout(120_000);

/** As bubblewrap ends where a system stops letting ordinary users make namespaces. */
const FORBIDDEN = '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n';

const found = (program: string) =>
  realpathSync(execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim());

describe('the sandbox, taken away from a running worker', () => {
  let product: FaultStack;
  let programs: string;
  const watch = new Stopwatch();

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, workers: 0, env: { CHIRALITY_PARKED_MS: '0' } });
    programs = product.stack.diskOf('programs');
    chmodSync(programs, 0o755);
    for (const program of ['choom', 'flock', 'prlimit']) symlinkSync(found(program), join(programs, program));
    putBack();
    // The system's own bubblewrap would be found in the place of the one that is taken away.
    await product.stack.startWorker(
      { PATH: programs },
      canHaveOwnMounts() ? withOwnMounts([{ hidden: found('bwrap') }]) : [],
    );
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(async () => {
    watch.report('the sandbox taken away');
    await product?.stop();
  });

  const ready = async () => (await product.person.call<Readiness>('GET', '/health/ready')).body;
  const instance = async () => (await product.person.call<Instance>('GET', '/v1/instance')).body;
  const post = (sessionId: string) =>
    product.person.call<{ turn: Turn; code?: string; detail?: string }>('POST', `/v1/sessions/${sessionId}/turns`, {
      message: talk(2).toMessage(),
    });
  const containing = (text: string) => expect.stringContaining(text) as string;

  /** Puts a program in the place of bubblewrap, at once. */
  function replaceBubblewrap(write: (path: string) => void): void {
    const draft = join(programs, 'draft');
    write(draft);
    chmodSync(draft, 0o755);
    renameSync(draft, join(programs, 'bwrap'));
  }
  function putBack(): void {
    replaceBubblewrap((path) => copyFileSync(found('bwrap'), path));
  }

  const ways: [string, () => void, string][] = [
    [
      'because the system forbids it now',
      () => replaceBubblewrap((path) => writeFileSync(path, FORBIDDEN)),
      'user namespaces',
    ],
    ...(canHaveOwnMounts()
      ? [
          ['with its program', () => rmSync(join(programs, 'bwrap')), 'Install the package bubblewrap'] as [
            string,
            () => void,
            string,
          ],
        ]
      : []),
  ];
  it.each(ways)(
    '%s, fails at most one turn with that reason, refuses the next ones, is named everywhere, and comes back',
    async (_why, takeAway, reason) => {
      const [running, session] = await Promise.all(
        [0, 1].map(() => AttendedSession.open(product.person, product.projectId)),
      );
      if (!running || !session) throw new Error('no sessions');
      const before = await running.send(talk(600, 10).toMessage());
      await running.saw('chat:delta', before);
      takeAway();

      const first = await post(session.id);
      expect(first.status).toBe(202);
      expect(await session.end(first.body.turn)).toMatchObject({
        status: 'failed',
        error: { code: 'SANDBOX_UNAVAILABLE', detail: containing(reason) },
      });
      await watch.time('refused after the first failure', 5_000, () =>
        waitFor(async () => (await post(session.id)).status === 503, {
          what: 'turns are refused',
          timeoutMs: 15_000,
          everyMs: 100,
        }),
      );
      const refused = await post(session.id);
      expect(refused).toMatchObject({ status: 503, body: { code: 'SANDBOX_UNAVAILABLE', detail: containing(reason) } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await waitFor(async () => (await ready()).checks['workers']?.status !== 'ok', {
        what: 'readiness names it',
        everyMs: 100,
      });
      expect((await ready()).checks['workers']?.detail).toContain(reason);
      expect(await instance()).toMatchObject({
        sandbox: 'unavailable',
        warnings: expect.arrayContaining([{ code: 'SANDBOX_UNAVAILABLE', text: containing(reason) }]) as unknown,
      });
      // What runs already has its sandbox.
      expect(await running.end(before)).toMatchObject({ status: 'completed' });

      putBack();
      await watch.time('accepted again', 30_000, () =>
        waitFor(async () => (await post(session.id)).status === 202, {
          what: 'turns are accepted again',
          timeoutMs: 40_000,
          everyMs: 200,
        }),
      );
      const [last] = (await product.person.call<{ data: Turn[] }>('GET', `/v1/sessions/${session.id}/turns`)).body.data;
      expect(await session.end(last as Turn)).toMatchObject({ status: 'completed' });
      await waitFor(async () => (await ready()).checks['workers']?.status === 'ok', {
        what: 'readiness is content again',
        everyMs: 100,
      });
      expect((await instance()).sandbox).toBe('bubblewrap');
      for (const one of [running, session]) await one.expectLawful();
    },
  );
});
