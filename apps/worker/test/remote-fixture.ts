import { mkdirSync } from 'node:fs';
import { NO_PRIVATE_HOSTS } from '@chirality/domain';
import { GIT_HOST, type GitHost } from '@chirality/testing';
import { EgressGateway, networkWithHosts } from '../src/egress';
import type { HostKeys } from '../src/git-account/host-keys';
import type { OpenedGitAccount } from '../src/git-account/opened-account';
import { GitTransport, type TRANSPORT_LIMITS } from '../src/workspace/transport/git-transport';
import { Submodules } from '../src/workspace/submodule/submodules';
import { RemoteRepositories } from '../src/workspace/transport/remote-repositories';
import type { WorkspaceFixture } from './workspace-fixture';

/** Remotes at a test's git host, for the workers of a fixture. To be closed before the fixture. */
export class RemoteFixture {
  /** What every user would act with. */
  account: OpenedGitAccount | null = null;
  /** The keys by which hosts proved themselves at first. */
  readonly pins = new Map<string, string>();
  private readonly gateway: EgressGateway;

  constructor(
    private readonly files: WorkspaceFixture,
    private readonly host: Pick<GitHost, 'authorities'> | null,
    name = GIT_HOST,
  ) {
    mkdirSync(files.path('run'), { recursive: true });
    this.gateway = new EgressGateway({
      runDir: files.path('run'),
      network: networkWithHosts({ [name]: '127.0.0.1' }),
      sink: { add: async () => undefined },
      log: { info: () => undefined, warn: () => undefined },
    });
  }

  remotes({ timeoutMs = 30_000, ...limits }: Partial<typeof TRANSPORT_LIMITS> = {}): RemoteRepositories {
    const { pins } = this;
    const hostKeys: HostKeys = {
      find: async (teamId, host) => pins.get(`${teamId} ${host}`) ?? null,
      pin: async ({ teamId }, host, lines) => {
        pins.set(`${teamId} ${host}`, lines);
        return lines;
      },
    };
    return new RemoteRepositories({
      transport: new GitTransport({
        sandbox: this.files.sandbox,
        egress: this.gateway,
        hostKeys,
        limits: { ...limits, timeoutMs },
        caFile: this.host?.authorities ?? null,
      }),
      accounts: { act: (_act, _address, run) => run(this.account), with: (_act, chosen, run) => run(chosen) },
      privateHosts: NO_PRIVATE_HOSTS,
      scratch: this.files.path('scratch'),
    });
  }

  submodules(limits?: ConstructorParameters<typeof Submodules>[1]): Submodules {
    const { scripts } = this.files;
    return new Submodules({ remotes: this.remotes(), scripts, privateHosts: NO_PRIVATE_HOSTS }, limits);
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}
