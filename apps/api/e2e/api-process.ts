import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';

/** The built api as a separate process, on a port that was free a moment ago. */
export class ApiProcess {
  output = '';
  exited: { code: number | null; signal: string | null } | null = null;
  private readonly child: ChildProcess;

  private constructor(
    readonly port: number,
    env: Record<string, string>,
  ) {
    const main = join(__dirname, '../dist/main.js');
    this.child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => (this.output += chunk.toString());
    this.child.stdout?.on('data', keep);
    this.child.stderr?.on('data', keep);
    this.child.on('exit', (code, signal) => (this.exited = { code, signal }));
  }

  static async start(env: Record<string, string>): Promise<ApiProcess> {
    return new ApiProcess(await freePort(), env);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async untilReady(timeoutMs = 30_000): Promise<void> {
    await waitFor(async () => (await this.readiness()) === 200, {
      what: `the api is ready\n${this.output.slice(-2_000)}`,
      timeoutMs,
      everyMs: 50,
    });
  }

  /** The status of /health/ready; null while nothing listens. */
  async readiness(): Promise<number | null> {
    return fetch(`${this.url}/health/ready`).then(
      ({ status }) => status,
      () => null,
    );
  }

  /** Asks it to end and answers how it did, and after how long. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; ms: number }> {
    const startedMs = performance.now();
    if (this.exited === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return { code: this.exited?.code ?? null, ms: performance.now() - startedMs };
  }

  async untilExit(timeoutMs = 20_000): Promise<number | null> {
    await waitFor(() => this.exited !== null, { what: 'the process ends', timeoutMs });
    return this.exited?.code ?? null;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
