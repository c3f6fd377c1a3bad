import { startEgressBench, type EgressBench } from '../../test/egress-bench';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../test/sandbox-host';
import type { EgressLease } from './index';

describeAsOrdinaryUser('reaching hosts from a sandbox', () => {
  let host: SandboxHost;
  let bench: EgressBench;
  let lease: EgressLease;

  beforeEach(async () => {
    host = makeSandboxHost();
    bench = await startEgressBench(host.runDir);
    lease = await bench.gateway.open({
      processId: 'proc_1',
      hosts: [`host.test:${bench.port}`, `*.host.test:${bench.port}`, 'dead.test'],
    });
  });
  afterEach(async () => {
    await bench.close();
    host.remove();
  });

  const inside = async (script: string, withEgress = true) => {
    const result = await host.sandbox.run({
      profile: 'agent',
      paths: host.paths,
      command: ['/bin/bash', '-c', script],
      ...(withEgress ? { egress: { socketPath: lease.socketPath, token: lease.token } } : {}),
      maxOutputBytes: 1024 * 1024,
      timeoutMs: 30_000,
    });
    return result.stdout.toString().trimEnd();
  };
  /** A request for a proxy by hand: no program of the host's is needed for it. */
  const ask = (request: string) =>
    `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${request.replaceAll('\n', '\\r\\n')}\\r\\n\\r\\n' >&3; cat <&3`;
  const tunnel = (authority: string, path = '/in-a-tunnel') =>
    `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT ${authority} HTTP/1.1\\r\\n\\r\\n' >&3; read -r status <&3; read -r _ <&3; echo "$status"; printf 'GET ${path} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3`;

  it('works for what is listed, by tunnel and by plain request, and is recorded', async () => {
    lease.bind(bench.binding());
    expect(await inside(tunnel(`host.test:${bench.port}`))).toMatch(
      /^HTTP\/1.1 200 Connection Established\r?\nHTTP\/1.1 200 OK[^]*hello from \/in-a-tunnel$/,
    );
    expect(
      await inside(
        ask(
          `GET http://other.host.test:${bench.port}/plain?a=b HTTP/1.1\nHost: evil.test\nProxy-Authorization: Basic x\nConnection: close`,
        ),
      ),
    ).toMatch(/^HTTP\/1.1 200 OK[^]*hello from \/plain\?a=b$/);
    expect(bench.requests).toEqual(['GET x/in-a-tunnel', `GET other.host.test:${bench.port}/plain?a=b`]);
    await lease.unbind();
    const written = {
      projectId: 'proj_1',
      sessionId: 'sess_1',
      turnId: 'turn_1',
      userId: 'user_1',
      port: bench.port,
      decision: 'allowed',
      count: 1,
    };
    expect(bench.rows).toMatchObject([
      { ...written, host: 'host.test' },
      { ...written, host: 'other.host.test' },
    ]);
    expect(bench.refusals).toEqual([]);
  });

  it('says clearly why it does not, once to people however often it is tried', async () => {
    lease.bind(bench.binding());
    expect(await inside(ask('CONNECT evil.test:443 HTTP/1.1'))).toMatch(
      /^HTTP\/1.1 403 Forbidden[^]*evil.test:443 was not reached: it is not on this project’s list of hosts/,
    );
    expect(await inside(ask('GET http://evil.test:443/again HTTP/1.1'))).toContain('403 Forbidden');
    expect(await inside(ask('CONNECT 127.0.0.1:443 HTTP/1.1'))).toContain('403 Forbidden');
    expect(await inside(ask('CONNECT dead.test:443 HTTP/1.1'))).toContain('502 Bad Gateway');
    expect(await inside(ask('GET /not-for-a-proxy HTTP/1.1'))).toContain('400 Bad Request');
    await lease.unbind();
    expect(bench.refusals).toEqual([
      'evil.test:443 not_listed',
      '127.0.0.1:443 not_listed',
      'dead.test:443 unreachable',
    ]);
    expect(bench.rows.map(({ host: name, decision, count }) => [name, decision, count])).toEqual([
      ['evil.test', 'not_listed', 2],
      ['127.0.0.1', 'not_listed', 1],
      ['dead.test', 'unreachable', 1],
    ]);
  });

  it('stops with the turn: nothing passes before or after it, and open tunnels are cut', async () => {
    expect(await inside(ask(`CONNECT host.test:${bench.port} HTTP/1.1`))).toContain('403 Forbidden');
    lease.bind(bench.binding());
    const child = host.sandbox.spawn({
      profile: 'agent',
      paths: host.paths,
      command: [
        '/bin/bash',
        '-c',
        `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT host.test:${bench.port} HTTP/1.1\\r\\n\\r\\n' >&3; read -r status <&3; echo "$status"; cat <&3; echo cut; ${tunnel(`host.test:${bench.port}`)}`,
      ],
      egress: { socketPath: lease.socketPath, token: lease.token },
    });
    let said = '';
    const connected = new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()).includes('200 Connection') && resolve()),
    );
    await connected;
    await lease.unbind();
    await child.exited;
    expect(said).toMatch(/200 Connection Established[^]*cut[^]*403 Forbidden/);
  });

  it('is for the process alone that was given the way: a wrong token is not heard', async () => {
    lease.bind(bench.binding());
    const result = await host.sandbox.run({
      profile: 'agent',
      paths: host.paths,
      command: ['/bin/bash', '-c', ask(`CONNECT host.test:${bench.port} HTTP/1.1`)],
      egress: { socketPath: lease.socketPath, token: 'another' },
      maxOutputBytes: 1_000,
      timeoutMs: 30_000,
    });
    expect(result.stdout.toString()).toBe('');
    expect(await inside('env; tr "\\0" "\\n" < /proc/self/environ')).not.toContain(lease.token);
  });

  it('tells programs where the proxy is, and leaves no other way', async () => {
    lease.bind(bench.binding());
    expect(
      await inside('echo $HTTPS_PROXY $http_proxy $NO_PROXY; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "'),
    ).toBe('http://127.0.0.1:3128 http://127.0.0.1:3128 localhost,127.0.0.1,::1,model.gateway\nlo');
    expect(await inside(`( exec 3<>/dev/tcp/127.0.0.1/${bench.port} ) 2>/dev/null && echo reached; true`)).toBe('');
    expect(
      await inside(
        'echo "<$HTTPS_PROXY$http_proxy>"; ls /run; ( exec 3<>/dev/tcp/127.0.0.1/3128 ) 2>/dev/null && echo reached; true',
        false,
      ),
    ).toBe('<>');
  });

  it('survives the end of what a turn left behind', async () => {
    lease.bind(bench.binding());
    const child = host.sandbox.spawn({
      profile: 'agent',
      paths: host.paths,
      command: ['/bin/bash', '-c', `sleep 1000 & echo begun; read -r; ${tunnel(`host.test:${bench.port}`)}`],
      egress: { socketPath: lease.socketPath, token: lease.token },
    });
    let said = '';
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()).includes('begun') && resolve()),
    );
    expect(await child.killStrays()).toBe(true);
    child.stdin.end('continue\n');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(said).toContain('hello from /in-a-tunnel');
  });

  it('carries much in both directions at once, and waits where one does not read', async () => {
    lease.bind(bench.binding());
    const post = (path: string) =>
      `head -c 8M /dev/zero > /tmp/body; exec 3<>/dev/tcp/127.0.0.1/3128; ( printf 'POST http://host.test:${bench.port}${path} HTTP/1.1\\r\\nContent-Length: 8388608\\r\\nConnection: close\\r\\n\\r\\n'; cat /tmp/body ) >&3; cat <&3`;
    expect(await inside(`${post('/early')}; echo over`)).toMatch(/over$/);
    expect(await inside(post('/much'))).toContain('hello from /much, which read 8388608 bytes');
  });
});
