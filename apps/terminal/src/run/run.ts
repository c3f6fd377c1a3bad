import { text as readAll } from 'node:stream/consumers';
import { answerOf, type ChiralityClient, type Options, type Session, type Turn } from '@chirality/client';
import { connect, type AccountOptions } from '../account/connect';
import { projectOf } from '../command/projects';
import { EXIT, type ExitCode } from '../program/exit-code';
import { Failure, InterruptedError } from '../program/failure';
import type { Terminal } from '../program/terminal';
import { oneLine } from '../text/safe-text';
import { runOutput, type OutputFormat } from './run-output';
import { untilInterrupted } from './until-interrupted';

type RunOptions = {
  project?: string;
  session?: string;
  title?: string;
  model?: string;
  maxTurns?: number;
  permissionMode?: Options['permissionMode'];
  print?: boolean;
  outputFormat: OutputFormat;
};

/** Sends one message and shows what comes of it, until its turn has ended. */
export async function run(
  terminal: Terminal,
  account: AccountOptions,
  given: string | undefined,
  options: RunOptions,
): Promise<ExitCode> {
  if (options.outputFormat !== 'text' && !options.print)
    throw new Failure(EXIT.usage, '--output-format belongs to --print.');
  if (options.session !== undefined && options.project !== undefined)
    throw new Failure(EXIT.usage, 'Give --project to start a session, or --session to continue one.');
  const message = await messageOf(given);
  const client = connect(account, terminal.environment);
  const session = await sessionFor(client, options);
  const output = runOutput(terminal, options.print ? options.outputFormat : 'live', session);
  const end = await untilInterrupted(async (signal, onFirst) => {
    const turn = await client.send(session.id, message, { options: turnOptions(options) });
    onFirst(() => {
      terminal.note('Stopping. Press Ctrl-C again to leave at once; the turn then ends alone.\n');
      return client.interrupt(session.id);
    });
    output.begin(turn);
    return followTurn(client, session, turn, output.event, signal);
  });
  output.end(end);
  return exitCodeOfTurn(end);
}

async function followTurn(
  client: ChiralityClient,
  session: Session,
  turn: Turn,
  onEvent: ReturnType<typeof runOutput>['event'],
  signal: AbortSignal,
): Promise<Turn> {
  // The session was read before the turn was sent, so its events are all behind this one.
  for await (const event of client.follow(session.id, { after: session.lastEventId, signal })) {
    if (event.turn !== turn.id) continue;
    onEvent(event);
    if (event.kind === 'turn:end') return client.waitForTurn(session.id, turn.id);
  }
  throw new InterruptedError();
}

function exitCodeOfTurn({ status }: Turn): ExitCode {
  if (status === 'completed') return EXIT.done;
  return status === 'interrupted' || status === 'cancelled' ? EXIT.interrupted : EXIT.failed;
}

async function messageOf(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== '-') return given;
  if (process.stdin.isTTY) throw new Failure(EXIT.usage, 'Give a message: chirality run "What is this project?"');
  const message = await readAll(process.stdin);
  if (message.trim() === '') throw new Failure(EXIT.usage, 'There is no message on standard input.');
  return message;
}

async function sessionFor(client: ChiralityClient, { session, project, title }: RunOptions): Promise<Session> {
  if (session !== undefined)
    return answerOf(client.api.GET('/v1/sessions/{sessionId}', { params: { path: { sessionId: session } } }));
  const { id } = await projectOf(client, project);
  const body = { projectId: id, ...(title === undefined ? {} : { title: oneLine(title) }) };
  return answerOf(client.api.POST('/v1/sessions', { body }));
}

function turnOptions({ model, maxTurns, permissionMode }: RunOptions): Options {
  return {
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
  };
}
