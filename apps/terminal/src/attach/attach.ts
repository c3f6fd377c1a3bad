import { answerOf, type SlashCommand } from '@chirality/client';
import { connect, type AccountOptions } from '../account/connect';
import { sessionOf } from '../command/sessions';
import type { ExitCode } from '../program/exit-code';
import type { Terminal } from '../program/terminal';
import { LiveSession } from './live-session';
import { watchPlainly } from './watch-plainly';

/** Takes part in a session: drawn where someone sits at a terminal, else as plain lines. */
export async function attach(
  terminal: Terminal,
  account: AccountOptions,
  wanted: string | undefined,
  { untilIdle }: { untilIdle?: boolean },
): Promise<ExitCode> {
  const client = connect(account, terminal.environment);
  let next = await sessionOf(client, wanted);
  for (;;) {
    const live = new LiveSession(client, next, () => process.stdout.columns || 80);
    try {
      await live.open();
      if (!terminal.isInteractive) return await watchPlainly(terminal, live, { untilIdle: untilIdle === true });
      const query = { sessionId: next.id };
      const commands: SlashCommand[] = await answerOf(client.api.GET('/v1/slash-commands', { params: { query } }));
      const { showSession } = await import('./show-session');
      const end = await showSession({ live, commands, colour: terminal.colour });
      // Another session takes the place of this one.
      if (end.kind === 'leave') return end.exitCode;
      next = end.session;
    } finally {
      live.close();
    }
  }
}
