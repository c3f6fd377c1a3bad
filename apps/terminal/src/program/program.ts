import { TRANSPORTS } from '@chirality/conformance';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { AccountOptions } from '../account/connect';
import { conformance } from '../command/conformance';
import { exportSession } from '../command/export';
import { login, logout } from '../command/login';
import { listProjects } from '../command/projects';
import { listSessions } from '../command/sessions';
import { createToken, listTokens, revokeToken } from '../command/token';
import { readEnvironment } from '../environment/environment';
import { run } from '../run/run';
import { EXIT, type ExitCode } from './exit-code';
import { exitCodeOf, sentenceOf } from './failure';
import { processTerminal, type Terminal } from './terminal';
import { VERSION } from './version';

/** Runs one command line; answers the exit code, and has written why where it is not 0. */
export async function runProgram(words: string[]): Promise<ExitCode> {
  const terminal = processTerminal(readEnvironment());
  let outcome: ExitCode = EXIT.done;
  const program = commandsOf(terminal, (code) => (outcome = code));
  try {
    await program.parseAsync(words, { from: 'user' });
    return outcome;
  } catch (error) {
    // It has written what is wrong, or what was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    terminal.note(`chirality: ${sentenceOf(error)}\n`);
    return exitCodeOf(error);
  }
}

function positiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('Give a whole number above 0.');
  return number;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function commandsOf(terminal: Terminal, end: (outcome: ExitCode) => void): Command {
  const program = new Command('chirality')
    .description('Work with the sessions of a Chirality server from a terminal.')
    .version(VERSION)
    .option('--server <url>', 'the address of the server (CHIRALITY_URL)')
    .option('--token-file <path>', 'a file of mode 0400 that holds an access token, in place of CHIRALITY_TOKEN')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.note })
    .showHelpAfterError('Run chirality --help for what there is.')
    .exitOverride();
  const account = () => program.opts<AccountOptions>();
  /** A command that says nothing of its end is done. */
  const act =
    <Words extends unknown[]>(command: (...words: Words) => Promise<unknown>) =>
    async (...words: Words) => {
      const outcome = await command(...words);
      if (typeof outcome === 'number') end(outcome as ExitCode);
    };

  program
    .command('login')
    .description('sign in: confirm a code in a browser')
    .option('--with-token', 'read an access token from standard input instead')
    .action(act((options: { withToken?: boolean }) => login(terminal, account(), options)));
  program
    .command('logout')
    .description('forget the token that login keeps')
    .action(act(() => logout(terminal)));
  program
    .command('projects')
    .description('list projects')
    .option('--json', 'as JSON, a project a line')
    .action(act((options: { json?: boolean }) => listProjects(terminal, account(), options)));
  program
    .command('sessions')
    .description('list sessions, the latest first')
    .option('--project <project>', 'only of this project: its id or name')
    .option('--search <words>', 'only those whose title has these words')
    .option('--archived', 'archived ones')
    .option('--limit <number>', 'at most so many', positiveInteger, 50)
    .option('--json', 'as JSON, a session a line')
    .action(act((options: Parameters<typeof listSessions>[2]) => listSessions(terminal, account(), options)));
  program
    .command('attach')
    .argument('[session]', 'its id, or words of its title; the latest one where absent')
    .description('take part in a session: watch, write, answer')
    .option('--until-idle', 'without a terminal: end when no turn runs')
    .action(
      act(async (session: string | undefined, options: { untilIdle?: boolean }) => {
        // Drawing is loaded only where something is drawn.
        const { attach } = await import('../attach/attach');
        return attach(terminal, account(), session, options);
      }),
    );
  program
    .command('run')
    .argument('[message]', 'what to do; standard input where it is absent or -')
    .description('send a message and show what comes of it')
    .option('--project <project>', 'start a session in this project: its id or name')
    .option('--session <session>', 'send it in this session: its id')
    .option('--title <title>', 'of a session that is started')
    .option('--model <model>', 'the model of this turn')
    .option('--max-turns <number>', 'at most so many turns of the model', positiveInteger)
    .addOption(
      new Option('--permission-mode <mode>', 'of this turn').choices(['default', 'acceptEdits', 'dontAsk', 'plan']),
    )
    .option('-p, --print', 'print the answer alone, when it is whole')
    .addOption(
      new Option('--output-format <format>', 'with --print: the answer, one object, or each event a line')
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .action(
      act((message: string | undefined, options: Parameters<typeof run>[3]) =>
        run(terminal, account(), message, options),
      ),
    );
  program
    .command('export')
    .argument('<session>', 'its id')
    .description('write a session to a file: its events, or what a person reads of it')
    .addOption(new Option('--format <format>').choices(['jsonl', 'markdown', 'html']).default('jsonl'))
    .option('--output <file>', 'a file that does not exist yet; standard output where it is absent')
    .action(
      act((session: string, options: Parameters<typeof exportSession>[3]) =>
        exportSession(terminal, account(), session, options),
      ),
    );
  program
    .command('conformance')
    .description('prove a server: the same scenarios over every transport')
    .option('--against <url>', 'the address of the server, in place of --server')
    .option('--project <project>', 'where its sessions are made: a project’s id or name')
    .addOption(new Option('--transport <transport...>', 'only over these').choices(TRANSPORTS))
    .option('--only <scenario...>', 'only these scenarios')
    .option('--foreign-session <id>', 'a session of another team, which must look like none')
    .option('--json', 'as JSON, a result a line')
    .action(act((options: Parameters<typeof conformance>[2]) => conformance(terminal, account(), options)));
  program
    .command('mcp')
    .description('serve MCP at standard input and output: for claude mcp add and other clients')
    .action(
      act(async () => {
        const { serveMcp } = await import('../command/mcp');
        return serveMcp(terminal, account());
      }),
    );
  const token = program.command('token').description('access tokens for programs');
  token
    .command('create')
    .argument('<name>')
    .description('create a token; its value is printed this once')
    .option('--team <team>', 'the id of its team; needed where you have several')
    .addOption(new Option('--class <class>', 'who uses it').choices(['human', 'agent']).default('agent'))
    .option('--project <id>', 'only for this project; repeat for more', collect)
    .option('--session <id>', 'only for this session; repeat for more', collect)
    .option('--command <command>', 'only for this command, such as turn:send; repeat for more', collect)
    .option('--days <number>', 'how long it is good; a day where absent', positiveInteger)
    .option('--may-mint', 'it may create narrower tokens')
    .action(
      act((name: string, options: Parameters<typeof createToken>[3]) =>
        createToken(terminal, account(), name, options),
      ),
    );
  token
    .command('list')
    .description('list tokens, without their values')
    .option('--json', 'as JSON, a token a line')
    .action(act((options: { json?: boolean }) => listTokens(terminal, account(), options)));
  token
    .command('revoke')
    .argument('<id>')
    .description('end a token at once')
    .action(act((id: string) => revokeToken(terminal, account(), id)));
  for (const command of [...program.commands, ...token.commands]) command.exitOverride().copyInheritedSettings(program);
  return program;
}
