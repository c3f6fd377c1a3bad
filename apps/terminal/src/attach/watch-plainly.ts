import { EXIT, type ExitCode } from '../program/exit-code';
import { InterruptedError } from '../program/failure';
import type { Terminal } from '../program/terminal';
import type { LiveSession } from './live-session';

/** Writes a session as lines, each once, until it is interrupted or, where that is wanted, until no turn runs. */
export function watchPlainly(
  { out, note }: Terminal,
  live: LiveSession,
  { untilIdle }: { untilIdle: boolean },
): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    let written = 0;
    let asked: string | null = null;
    const leave = () => finish(() => reject(new InterruptedError()));
    const finish = (act: () => void) => {
      stop();
      process.off('SIGINT', leave).off('SIGTERM', leave).off('SIGHUP', leave);
      act();
    };
    const write = () => {
      const { printed, permission, active, failure } = live.snapshot();
      out(
        printed
          .slice(written)
          .map(({ text }) => `${text}\n`)
          .join(''),
      );
      written = printed.length;
      if (permission !== null && permission.permissionId !== asked) {
        asked = permission.permissionId;
        note(`A request waits for an answer. Attach from a terminal, or use the dashboard.\n`);
      }
      if (failure !== null) finish(() => reject(failure instanceof Error ? failure : new Error('The session ended.')));
      else if (untilIdle && active === null) finish(() => resolve(EXIT.done));
    };
    const stop = live.subscribe(write);
    process.on('SIGINT', leave).on('SIGTERM', leave).on('SIGHUP', leave);
    write();
  });
}
