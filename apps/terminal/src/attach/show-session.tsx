import type { Session, SlashCommand } from '@chirality/client';
import { render } from 'ink';
import type { ExitCode } from '../program/exit-code';
import { EXIT } from '../program/exit-code';
import type { LiveSession } from './live-session';
import { SessionScreen } from './session-screen';

export type End = { kind: 'leave'; exitCode: ExitCode } | { kind: 'resume'; session: Session };

/** Draws a session until its person leaves it. */
export async function showSession(props: {
  live: LiveSession;
  commands: SlashCommand[];
  colour: boolean;
}): Promise<End> {
  let end: End = { kind: 'leave', exitCode: EXIT.interrupted };
  // Before anything is drawn: who sees the composer may write at once, and Enter is then no line break.
  process.stdin.setRawMode(true);
  const app = render(
    <SessionScreen
      {...props}
      onEnd={(how) => {
        end = how;
        app.unmount();
      }}
    />,
    { exitOnCtrlC: false, patchConsole: false },
  );
  const leave = () => app.unmount();
  process.on('SIGTERM', leave).on('SIGHUP', leave);
  try {
    await app.waitUntilExit();
    return end;
  } finally {
    process.off('SIGTERM', leave).off('SIGHUP', leave);
  }
}
