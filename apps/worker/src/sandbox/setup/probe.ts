import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { AgentProgram } from '../agent-program';
import { PROBE_DONE, probeScript, probeSentences } from './probe-script';
import type { ProbeResult, SandboxRequest, SandboxRunResult } from '../sandbox.types';

const TIMEOUT_MS = 10_000;

/** Runs the probe's script through `run`, with a socket made for it in `directory`, which is kept. Never rejects. */
export async function probeWith(
  program: Pick<AgentProgram, 'name' | 'inside'>,
  directory: string,
  run: (request: SandboxRequest & { maxOutputBytes: number; timeoutMs: number }) => Promise<SandboxRunResult>,
): Promise<ProbeResult> {
  let server: Server | undefined;
  try {
    const paths = { workspace: join(directory, 'w'), config: join(directory, 'c'), modelSocket: join(directory, 's') };
    await Promise.all([paths.workspace, paths.config].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
    // Of a worker that died in the middle of it.
    await rm(paths.modelSocket, { force: true });
    server = await answerOn(paths.modelSocket);
    const result = await run({
      profile: 'agent',
      paths: { ...paths, lockFile: join(directory, 'lock') },
      command: ['/bin/bash', '-c', probeScript(process.getuid?.() ?? -1, program.inside)],
      maxOutputBytes: 64 * 1024,
      timeoutMs: TIMEOUT_MS,
    });
    return judge(result, program.name);
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  } finally {
    server?.close();
  }
}

function judge(result: SandboxRunResult, programName: string): ProbeResult {
  const sentences = probeSentences(programName);
  const lines = result.stdout.toString('utf8').trim().split('\n');
  if (result.code === 0 && lines.length === 1 && lines[0] === PROBE_DONE) return { ok: true, kind: 'bubblewrap' };
  if (result.startFailure) return { ok: false, detail: `The sandbox could not be set up: ${result.startFailure}` };
  if (result.timedOut) return { ok: false, detail: `The sandbox's test did not end within ${TIMEOUT_MS / 1000} s.` };
  const failed = lines.flatMap((line) => (line.startsWith('bad:') ? (sentences[line.slice(4)] ?? line) : []));
  const said = result.stderr.toString('utf8').trim().split('\n').at(-1) ?? '';
  return {
    ok: false,
    detail:
      failed.length > 0
        ? `The sandbox does not hold: ${failed.join('; ')}.`
        : `The sandbox's test failed with code ${result.code}: ${said}`,
  };
}

function answerOn(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('reached\n');
    });
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}
