import { mayRunSomethingElse } from './program-escapes';
import type { SimpleCommand } from './shell/parse-command';
import { SHELLS } from './shell/shells';

/**
 * Programs that run other programs, or a text, a file or their standard input as one: whatever a rule says of their
 * arguments, what runs is decided elsewhere.
 */
const RUNNERS = new Set<string>([
  ...SHELLS,
  ...[
    'fish csh tcsh ash mksh rbash busybox toybox pwsh powershell eval source . exec command builtin trap coproc alias enable complete bind',
    'env sudo doas su runuser pkexec gosu setpriv xargs parallel timeout nohup nice ionice chrt setsid stdbuf unbuffer time watch entr nodemon',
    'strace ltrace gdb lldb perf valgrind rr chroot unshare nsenter flock setarch taskset systemd-run fakeroot proot bwrap firejail script expect',
    'at batch crontab tmux screen dtach ssh sshpass scp sftp mosh ftp lftp socat nc ncat netcat docker podman nerdctl docker-compose kubectl oc helm',
    'ansible ansible-playbook terraform tofu vagrant packer npx bunx pnpx uvx pipx corepack bun deno node nodejs ts-node tsx babel-node esno vite-node',
    'zx concurrently npm-run-all run-s run-p wireit cross-env dotenv dotenvx direnv mise asdf rtx volta nvm fnm nix nix-shell nix-env guix conda mamba',
    'python pypy ipython perl ruby irb php lua luajit tclsh wish r rscript julia java jshell groovy kotlin scala swift ghci runghc runhaskell ocaml erl',
    'elixir iex guile racket sbcl clisp emacs emacsclient vim nvim vi view ex ed nano less more most man info awk gawk mawk nawk sed gsed m4 bc dc',
    'sqlite sqlite3 psql mysql mariadb mongo mongosh redis-cli osascript open xdg-open tee sponge just task invoke fab bundle rake tox nox',
  ].flatMap((line) => line.split(' ')),
]);

/** First arguments behind which a program is named: `go run`, `poetry run`, `docker exec`, `go generate`. */
const RUNNING_SUBCOMMANDS = new Set(
  'run exec x dlx shell eval repl script generate start-process debug attach'.split(' '),
);

/** What `run` starts there is a script of the project that has that name. */
export const RUNS_NAMED_SCRIPTS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);

/** What stands behind their first two arguments is handed on to what the project's files say is run. */
const HANDS_ON = new Set(['npm', 'pnpm', 'cargo', 'go', 'make']);

/** Of these, words behind the program are names of files and the like, never programs. */
const TAKES_NO_PROGRAM = new Set(
  'git rm mkdir rmdir touch cp mv ln chmod chown kill ls cat head tail grep rg find wc stat echo printf'.split(' '),
);

/** Variables that change how a program works and prints, never which program it runs. */
const HARMLESS_VARIABLES =
  /^(?:CI|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|TZ|LANG|LC_[A-Z]+|TERM|DEBUG|VERBOSE|RUST_LOG|RUST_BACKTRACE|CGO_ENABLED|GOOS|GOARCH)=/;

/** Whether a name, with or without its directory and version (`/usr/bin/python3.12`), is that of a program that runs others. */
export function isRunner(name: string): boolean {
  const base = (name.split('/').pop() ?? '').toLowerCase();
  return RUNNERS.has(base) || RUNNERS.has(base.replace(/-?[\d.]+$/, ''));
}

/**
 * Whether a simple command may run a program that it does not name as its first word: an interpreter or a wrapper, a
 * file given by its path, an option that names a program, a variable that changes which one is found. When in doubt, yes.
 */
export function runsOtherPrograms({ words, assignments }: SimpleCommand): boolean {
  const [first, ...rest] = words;
  const program = first?.text ?? '';
  if (!first || first.expands || program.includes('/') || isRunner(program)) return true;
  if (assignments.some((text) => !HARMLESS_VARIABLES.test(text))) return true;
  if (mayRunSomethingElse(words, 1)) return true;
  if (TAKES_NO_PROGRAM.has(program)) return false;
  const subcommand = rest.find(({ text }) => !text.startsWith('-'))?.text ?? '';
  if (
    RUNS_NAMED_SCRIPTS.has(program) ? subcommand !== 'run' && isRunner(subcommand) : RUNNING_SUBCOMMANDS.has(subcommand)
  )
    return true;
  return (
    !HANDS_ON.has(program) &&
    rest.some(({ text }) => isRunner(text) || /\s/.test(text) || /^--?(?:c|e|exec|command|eval)(?:=|$)/.test(text))
  );
}

/** What it is given by a pipe it runs, so that a rule about its own words says nothing. */
export function runsItsInput({ words, piped }: SimpleCommand): boolean {
  return piped === true && isRunner(words[0]?.text ?? '');
}
