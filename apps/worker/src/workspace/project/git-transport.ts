import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { finished } from 'node:stream/promises';
import type { SourceProgress } from '@chirality/contracts';
import { parseGitAddress, whyNoGitAddress } from '@chirality/domain';
import type { EgressBinding, EgressGateway, EgressLease } from '../../egress';
import type { Sandbox } from '../../sandbox/sandbox';
import { SandboxUnavailableError, type SandboxedProcess } from '../../sandbox/sandbox.types';
import { SCRIPT_PRELUDE } from '../script/script-prelude';
import { MOUNT_VARIABLES } from '../script/script-mounts';
import { FetchFailedError, failureOf } from './fetch-failure';
import { GitProgressReader } from './git-progress';
import { FETCH_REMOTE } from './transport-script';

/**
 * Below what the kernel lets any file in a sandbox become, which is where one pack that is too large ends at the
 * latest.
 */
export const TRANSPORT_LIMITS = { timeoutMs: 15 * 60_000, diskBytes: 2 * 1024 ** 3 };
const PRINTED_CHARS = 4_096;
const PIPE_GRACE_MS = 200;
const INSIDE_CA = '/run/authorities.pem';

export type RemoteFetch = {
  projectId: string;
  userId: string;
  /** An https address without credentials. */
  url: string;
  /** Where `repo.git` is made. */
  directory: string;
  onProgress(progress: SourceProgress): void;
  /** Ends it at once. */
  stopped: AbortSignal;
};

interface Parts {
  sandbox: Pick<Sandbox, 'spawn'>;
  egress: Pick<EgressGateway, 'open'>;
  limits?: Partial<typeof TRANSPORT_LIMITS>;
  /** Authorities for certificates besides the host's own, for tests. */
  caFile?: string | null;
}

/**
 * Brings a repository over the network, in the sandbox's `transport` profile: git, one directory, and a proxy to one
 * host.
 */
export class GitTransport {
  private readonly limits: typeof TRANSPORT_LIMITS;

  constructor(private readonly parts: Parts) {
    this.limits = { ...TRANSPORT_LIMITS, ...parts.limits };
  }

  /**
   * The branch that was fetched. Throws FetchFailedError with what the project then shows, and the signal's reason when
   * it was stopped.
   */
  async fetch(wanted: RemoteFetch): Promise<{ branch: string }> {
    const address = parseGitAddress(wanted.url);
    if (!address)
      throw new FetchFailedError({
        code: 'SOURCE_ADDRESS_REFUSED',
        detail: whyNoGitAddress(wanted.url) ?? 'The address cannot be used.',
      });
    const refused: Parameters<EgressBinding['onRefused']>[0][] = [];
    const way = await this.parts.egress.open({
      processId: `fetch_${randomBytes(8).toString('hex')}`,
      hosts: [`${address.host}:${address.port}`],
    });
    try {
      // No turn and no session is behind it: the log alone says what was decided.
      way.bind({
        projectId: wanted.projectId,
        userId: wanted.userId,
        sessionId: '',
        turnId: '',
        onRefused: (refusal) => refused.push(refusal),
      });
      const { said, printed, ...ended } = await this.follow(this.spawn(wanted, way), wanted);
      wanted.stopped.throwIfAborted();
      if (ended.exit.code !== 0 || ended.timedOut)
        throw new FetchFailedError(
          failureOf({ ...ended, refused, text: said, host: address.host, limits: this.limits }),
        );
      return { branch: printed.trim().split(' ')[0] ?? '' };
    } finally {
      await way.close();
    }
  }

  private spawn({ url, directory }: RemoteFetch, way: EgressLease): SandboxedProcess {
    const { sandbox, caFile } = this.parts;
    try {
      return sandbox.spawn({
        profile: 'transport',
        paths: { workspace: directory, ...(caFile ? { extraReadOnly: [[caFile, INSIDE_CA] as const] } : {}) },
        command: ['/bin/sh', '-c', SCRIPT_PRELUDE + FETCH_REMOTE, 'transport', url],
        env: { W: MOUNT_VARIABLES.W, ...(caFile ? { GIT_SSL_CAINFO: INSIDE_CA } : {}) },
        egress: { socketPath: way.socketPath, token: way.token },
        diskBytes: this.limits.diskBytes,
      });
    } catch (error) {
      if (error instanceof SandboxUnavailableError)
        throw new FetchFailedError({ code: 'SANDBOX_UNAVAILABLE', detail: error.message });
      throw error;
    }
  }

  private async follow(child: SandboxedProcess, { stopped, onProgress }: RemoteFetch) {
    const reader = new GitProgressReader();
    let printed = '';
    let timedOut = false;
    child.stdin.end();
    child.stdout.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString('utf8')).slice(0, PRINTED_CHARS)));
    child.stderr.on('data', (chunk: Buffer) => {
      if (reader.read(chunk.toString('utf8'))) onProgress(reader.last);
    });
    const end = () => child.killTree();
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, this.limits.timeoutMs);
    stopped.addEventListener('abort', end);
    if (stopped.aborted) end();
    const exit = await child.exited;
    clearTimeout(timer);
    stopped.removeEventListener('abort', end);
    // What a process wrote may be read after its exit was seen.
    await Promise.race([Promise.allSettled([finished(child.stdout), finished(child.stderr)]), delay(PIPE_GRACE_MS)]);
    return { exit, timedOut, printed, said: reader.text };
  }
}
