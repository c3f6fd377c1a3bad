import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { GIT_HOST, makeGitRepository, startGitHost, type GitHost } from '@chirality/testing';
import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import { WorkspaceFixture } from '../../test/workspace-fixture';
import { claudeProgram } from '../harness/claude-code/claude-program';
import { createSandbox } from '../sandbox/setup/create-sandbox';
import { authoritiesFile } from './authorities';
import { EgressGateway, networkWithHosts } from './index';

jest.setTimeout(60_000);

describeAsOrdinaryUser('the operator’s authorities', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let gateway: EgressGateway;

  beforeAll(async () => {
    host = await startGitHost();
    makeGitRepository(join(host.directory, 'repo.git'), [{ 'a.txt': '1' }]);
    fixture = new WorkspaceFixture();
    await fixture.write('run/.keep', '');
    await fixture.write('workspace/.keep', '');
    gateway = new EgressGateway({
      runDir: fixture.path('run'),
      network: networkWithHosts({ [GIT_HOST]: '127.0.0.1' }),
      sink: { add: async () => undefined },
      log: { info: () => undefined, warn: () => undefined },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await host.close();
    await fixture.close();
  });

  const lsRemote = async (authorities: string | null) => {
    const sandbox = createSandbox({
      mode: 'bubblewrap',
      production: false,
      runDir: fixture.path('run'),
      searchPath: process.env['PATH'],
      program: claudeProgram(),
      authorities,
    });
    const lease = await gateway.open({
      processId: `proc_${authorities === null}`,
      hosts: [`${GIT_HOST}:${host.port}`],
    });
    lease.bind({ projectId: 'p', sessionId: 's', turnId: 't', userId: 'u', onRefused: () => undefined });
    const result = await sandbox.run({
      profile: 'agent',
      paths: { workspace: fixture.path('workspace') },
      command: ['/bin/sh', '-c', `git ls-remote ${host.url('repo.git')} HEAD; echo "$NODE_EXTRA_CA_CERTS"`],
      egress: { socketPath: lease.socketPath, token: lease.token },
      maxOutputBytes: 10_000,
      timeoutMs: 30_000,
    });
    await lease.close();
    return { said: result.stdout.toString(), complained: result.stderr.toString() };
  };

  it('count beside the system’s for what turns reach', async () => {
    const file = authoritiesFile(host.authorities, fixture.path('authorities.pem'));
    expect(await lsRemote(file)).toMatchObject({
      said: expect.stringMatching(/^[0-9a-f]{40}\tHEAD\n\/opt\/chirality\/authorities\.pem\n$/) as string,
    });
    const kept = readFileSync(file ?? '', 'utf8');
    expect(kept.split('-----BEGIN CERTIFICATE-----').length).toBeGreaterThan(50);
    expect(kept).toContain(readFileSync(host.authorities, 'utf8').trim());
  });

  it('are not there where the operator names none', async () => {
    expect(authoritiesFile(null, fixture.path('none.pem'))).toBeNull();
    expect(await lsRemote(null)).toMatchObject({
      said: '\n',
      complained: expect.stringMatching(/certificate/i) as string,
    });
  });
});
