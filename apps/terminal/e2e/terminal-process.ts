import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitFor } from '@chirality/testing';

export const PROGRAM = resolve(__dirname, '../dist/main.js');

/** A user's home and what the program finds in its environment. */
export class TerminalUser {
  readonly home = mkdtempSync(join(tmpdir(), 'terminal-'));

  constructor(private readonly env: Record<string, string>) {}

  private environment(more: Record<string, string>): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, 'config'),
      TERM: 'xterm-256color',
      ...this.env,
      ...more,
    };
  }

  /** Without a terminal. */
  async run(words: string[], { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}) {
    const child = this.start(words, env);
    child.stdin.end(input);
    const output = collect(child);
    const [code] = (await once(child, 'close')) as [number];
    return { code, out: output.out(), err: output.err() };
  }

  start(words: string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [PROGRAM, ...words], { env: this.environment(env) });
  }

  /** In a pseudo-terminal of 80 × 24. */
  open(words: string[], env: Record<string, string> = {}): Screen {
    return new Screen(words, this.environment(env), this.home);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

function collect(child: ChildProcessWithoutNullStreams) {
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return { out: () => out, err: () => err };
}

const SEQUENCE = new RegExp('\u001b(?:\\[[0-?]*[ -/]*[@-~]|[@-Z\\\\-_])', 'g');

/** What the program draws, all of it since it began. */
export class Screen {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly output: ReturnType<typeof collect>;
  private readonly place: string;
  readonly closed: Promise<number>;
  private from = 0;

  constructor(words: string[], env: NodeJS.ProcessEnv, home: string) {
    this.place = join(mkdtempSync(join(home, 'tty-')), 'name');
    const quoted = [process.execPath, PROGRAM, ...words].map((word) => `'${word}'`).join(' ');
    const line = `stty rows 24 cols 80; tty > '${this.place}'; exec ${quoted}`;
    this.child = spawn('script', ['-qfec', line, '/dev/null'], { env: { ...env, SHELL: '/bin/sh' } });
    this.output = collect(this.child);
    this.closed = once(this.child, 'close').then(([code]) => code as number);
  }

  /** Every byte. */
  get raw(): string {
    return this.output.out();
  }

  /** What was drawn since `mark`, without colours and moves. */
  get text(): string {
    return this.raw.slice(this.from).replace(SEQUENCE, '').replaceAll('\r', '');
  }

  mark(): void {
    this.from = this.raw.length;
  }

  type(keys: string): void {
    this.child.stdin.write(keys);
  }

  resize(rows: number, columns: number): void {
    const terminal = readFileSync(this.place, 'utf8').trim();
    spawn('stty', ['-F', terminal, 'rows', String(rows), 'cols', String(columns)]);
  }

  async shows(text: string, timeoutMs = 30_000): Promise<void> {
    await waitFor(() => Promise.resolve(this.text.includes(text)), {
      what: `“${text}” is drawn`,
      timeoutMs,
      everyMs: 30,
    }).catch((error: Error) => {
      throw new Error(`${error.message}; drawn: ${this.text.slice(-3000)}${this.output.err()}`);
    });
  }

  /** Ends the program where a test left it running. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}
