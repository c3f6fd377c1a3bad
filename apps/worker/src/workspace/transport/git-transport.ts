import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { finished } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import type { SourceProgress } from '@chirality/contracts';
import { DEFAULT_GIT_USERNAME, gitHostOf, type GitAddress } from '@chirality/domain';
import type { EgressBinding, EgressGateway, EgressLease } from '../../egress';
import type { HostKeys } from '../../git-account/host-keys';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import type { Sandbox } from '../../sandbox/sandbox';
import { SandboxUnavailableError, type SandboxedProcess } from '../../sandbox/sandbox.types';
import { FetchFailedError } from '../project/fetch-failure';
import { SCRIPT_PRELUDE } from '../script/script-prelude';
import { MOUNT_VARIABLES } from '../script/script-mounts';
import { GitProgressReader } from './git-progress';
import { SCAN_HOST_KEY } from './ssh-script';
import { failureOf } from './transport-failure';
import { REMOTE } from './transport-script';

/**
 * Below what the kernel lets any file in a sandbox become, which is where one pack that is too large ends at the
 * latest.
 */
export const TRANSPORT_LIMITS = { timeoutMs: 15 * 60_000, diskBytes: 2 * 1024 ** 3 };
const PRINTED_CHARS = 1024 * 1024;
const PIPE_GRACE_MS = 200;
const INSIDE_CA = '/run/authorities.pem';
/** A line of a known_hosts file as ssh writes it: name, type, key. */
const HOST_KEY_LINE = /^[^\s|]{1,300} (?:ssh-|ecdsa-|sk-)[a-z0-9@.-]{1,60} [A-Za-z0-9+/=]{16,2000}$/;

type TransportRun = {
  /** A script that uses `remote` and `$url` (transport-script.ts). */
  text: string;
  args?: readonly string[];
  address: GitAddress;
  /** What signs in; null: nothing does. */
  account: OpenedGitAccount | null;
  /** `teamId` says whose pinned host keys count; the rest is for the log. */
  act: { teamId: string; userId: string; projectId: string | null };
  /** Mounted at `$W`, where `repo.git` is or is made. */
  directory: string;
  /** Mounted at `$X`, to be read: a repository whose objects the one at `$W` borrows. */
  known?: string | undefined;
  limits?: Partial<typeof TRANSPORT_LIMITS>;
  onProgress?(progress: SourceProgress): void;
  /** Ends it at once. */
  stopped?: AbortSignal;
};

interface Parts {
  sandbox: Pick<Sandbox, 'spawn'>;
  egress: Pick<EgressGateway, 'open'>;
  hostKeys: HostKeys;
  limits?: Partial<typeof TRANSPORT_LIMITS>;
  /** Every authority whose certificates count; null: the host's own. */
  caFile?: string | null;
}

type Command = Pick<
  TransportRun,
  'text' | 'address' | 'account' | 'act' | 'directory' | 'known' | 'limits' | 'onProgress' | 'stopped'
> & {
  args: readonly string[];
  knownHosts: string;
};

/**
 * Runs git over the network, in the sandbox's `transport` profile: git, one directory, and a proxy to one host. An
 * account's secret is handed over on a descriptor.
 */
export class GitTransport {
  constructor(private readonly parts: Parts) {}

  /**
   * What the script printed. Throws FetchFailedError with a reason for people that holds nothing of the secret, and the
   * signal's reason when it was stopped. An ssh host is known by the keys that it showed the team at first.
   */
  async run({ args = [], address: given, ...wanted }: TransportRun): Promise<string> {
    const address = withUser(given, wanted.account);
    const knownHosts = address.protocol === 'ssh' ? await this.keysOf(address, wanted) : '';
    return this.command({ ...wanted, address, args: [address.url, ...args], knownHosts });
  }

  private async keysOf(address: GitAddress, wanted: Omit<TransportRun, 'args' | 'address'>): Promise<string> {
    const { hostKeys } = this.parts;
    const host = gitHostOf(address);
    const known = await hostKeys.find(wanted.act.teamId, host);
    if (known !== null) return known;
    const printed = await this.command({
      ...wanted,
      text: SCAN_HOST_KEY,
      address,
      account: null,
      args: [address.url, address.user ?? DEFAULT_GIT_USERNAME, address.host, String(address.port)],
      knownHosts: '',
    });
    const lines = printed.split('\n').filter((line) => HOST_KEY_LINE.test(line));
    if (lines.length === 0)
      throw new FetchFailedError({
        code: 'SOURCE_UNREACHABLE',
        detail: `${host} did not show a host key that ssh can use. Check the address.`,
      });
    return hostKeys.pin(wanted.act, host, lines.join('\n'));
  }

  private async command(command: Command): Promise<string> {
    const { address, account, act, stopped } = command;
    const refused: Parameters<EgressBinding['onRefused']>[0][] = [];
    const way = await this.parts.egress.open({
      processId: `fetch_${randomBytes(8).toString('hex')}`,
      hosts: [`${address.host}:${address.port}`],
    });
    try {
      // No turn and no session is behind it: the log alone says what was decided.
      way.bind({
        projectId: act.projectId ?? '',
        userId: act.userId,
        sessionId: '',
        turnId: '',
        onRefused: (refusal) => refused.push(refusal),
      });
      const limits = { ...TRANSPORT_LIMITS, ...this.parts.limits, ...command.limits };
      const { said, printed, ...ended } = await this.follow(
        this.spawn(command, way, limits.diskBytes),
        command,
        limits,
      );
      stopped?.throwIfAborted();
      if (ended.exit.code !== 0 || ended.timedOut) {
        const { host, protocol } = address;
        throw new FetchFailedError(
          failureOf({
            ...ended,
            refused,
            text: said,
            host,
            accountHost: gitHostOf(address),
            protocol,
            account,
            limits,
          }),
        );
      }
      return printed;
    } finally {
      await way.close();
    }
  }

  private spawn(command: Command, way: EgressLease, diskBytes: number) {
    const { text, args, address, account, directory, known, knownHosts } = command;
    const { sandbox, caFile } = this.parts;
    const readOnly: (readonly [string, string])[] = [
      ...(caFile ? [[caFile, INSIDE_CA] as const] : []),
      ...(known === undefined ? [] : [[known, MOUNT_VARIABLES.X] as const]),
    ];
    try {
      return sandbox.spawn({
        profile: 'transport',
        paths: { workspace: directory, extraReadOnly: readOnly },
        command: ['/bin/sh', '-c', SCRIPT_PRELUDE + REMOTE + text, 'transport', ...args],
        env: {
          W: MOUNT_VARIABLES.W,
          X: MOUNT_VARIABLES.X,
          R_PROTOCOL: address.protocol,
          R_HOST: gitHostOf(address),
          R_ACCOUNT: account?.kind ?? 'none',
          R_KNOWN_HOSTS: knownHosts,
          ...(caFile ? { GIT_SSL_CAINFO: INSIDE_CA } : {}),
        },
        ...(account === null ? {} : { secret: handedOver(account) }),
        egress: { socketPath: way.socketPath, token: way.token },
        diskBytes,
      });
    } catch (error) {
      if (error instanceof SandboxUnavailableError)
        throw new FetchFailedError({ code: 'SANDBOX_UNAVAILABLE', detail: error.message });
      throw error;
    }
  }

  private async follow(
    child: SandboxedProcess,
    { stopped, onProgress }: Pick<TransportRun, 'stopped' | 'onProgress'>,
    { timeoutMs }: { timeoutMs: number },
  ) {
    const reader = new GitProgressReader();
    // A character may come in two chunks.
    const [ofOutput, ofErrors] = [new StringDecoder('utf8'), new StringDecoder('utf8')];
    let printed = '';
    let timedOut = false;
    child.stdin.end();
    child.stdout.on('data', (chunk: Buffer) => (printed = (printed + ofOutput.write(chunk)).slice(0, PRINTED_CHARS)));
    child.stderr.on('data', (chunk: Buffer) => {
      if (reader.read(ofErrors.write(chunk))) onProgress?.(reader.last);
    });
    const end = () => child.killTree();
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    stopped?.addEventListener('abort', end);
    if (stopped?.aborted) end();
    const exit = await child.exited;
    clearTimeout(timer);
    stopped?.removeEventListener('abort', end);
    // What a process wrote may be read after its exit was seen.
    await Promise.race([Promise.allSettled([finished(child.stdout), finished(child.stderr)]), delay(PIPE_GRACE_MS)]);
    return { exit, timedOut, printed, said: reader.text };
  }
}

/** As git's credential helper answers it, or as an agent takes a key. */
function handedOver({ kind, username, secret }: OpenedGitAccount): string {
  return kind === 'ssh' ? secret : `username=${username ?? DEFAULT_GIT_USERNAME}\npassword=${secret}`;
}

/** An ssh address that names no user gets the account's, or the one that git hosts have. */
function withUser(address: GitAddress, account: OpenedGitAccount | null): GitAddress {
  if (address.protocol !== 'ssh' || address.user !== null) return address;
  const user = account?.username ?? DEFAULT_GIT_USERNAME;
  return { ...address, user, url: address.url.replace('ssh://', `ssh://${user}@`) };
}
