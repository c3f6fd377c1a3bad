import { join } from 'node:path';
import { AuditRepository, GitAccountRepository, GitHostKeyRepository } from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import { GitAccounts } from '../git-account/git-accounts';
import { PinnedHostKeys } from '../git-account/host-keys';
import { refusedTokenText } from '../git-host/call/host-call-error';
import { ScriptRunner } from '../workspace/script/script-runner';
import { Submodules } from '../workspace/submodule/submodules';
import { GitTransport, TRANSPORT_LIMITS } from '../workspace/transport/git-transport';
import { RemoteRepositories } from '../workspace/transport/remote-repositories';
import { refusedAccountText } from '../workspace/transport/transport-failure';
import type { Network } from './create-network';
import type { Sandboxing } from './create-sandboxing';
import type { Storage } from './create-storage';

export type Remotes = ReturnType<typeof createRemotes>;

/** What reaches repositories at other hosts, and in whose name. */
export function createRemotes(
  config: Config,
  { database, secrets }: Storage,
  { sandbox, authorities }: Sandboxing,
  { transportEgress }: Network,
  log: Logger,
) {
  const audit = new AuditRepository(database);
  const accounts = new GitAccounts({
    accounts: new GitAccountRepository(database),
    secrets,
    audit,
    refusal: (error) => refusedAccountText(error) ?? refusedTokenText(error),
    log,
  });
  const transport = new GitTransport({
    sandbox,
    egress: transportEgress,
    hostKeys: new PinnedHostKeys(new GitHostKeyRepository(database), audit),
    limits: {
      timeoutMs: config.testLimits['fetchMs'] ?? TRANSPORT_LIMITS.timeoutMs,
      diskBytes: config.maxRepositoryBytes,
    },
    caFile: config.testAuthorities ?? authorities,
  });
  const remotes = new RemoteRepositories({
    transport,
    accounts,
    privateHosts: config.privateHosts,
    scratch: join(config.dataDir, 'transport'),
  });
  const submodules = new Submodules({
    remotes,
    scripts: new ScriptRunner(sandbox),
    privateHosts: config.privateHosts,
  });
  return { accounts, transport, remotes, submodules };
}
