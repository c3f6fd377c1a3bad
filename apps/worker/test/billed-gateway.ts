import { mkdtempSync, rmSync } from 'node:fs';
import { BudgetSpendingRepository, ModelKeyRepository, type UsageEntry } from '@chirality/database';
import { DEFAULT_PRICES, modelKeySealOf, newId } from '@chirality/domain';
import { loadConfig, SecretBox } from '@chirality/platform';
import { buildTeam, buildUser, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { ModelGateway, type GatewayLease } from '../src/gateway/serve/model-gateway';
import { openModelUpstreams, type ModelUpstreams } from '../src/gateway/upstream/model-upstreams';
import { Upstream } from '../src/gateway/upstream/upstream';
import { AccountFinder } from '../src/key/account-finder';
import { RequestFunding } from '../src/key/request-funding';
import { TurnBudget } from '../src/key/turn-budget';
import { TurnCosts, type TurnUsageBinding } from '../src/key/turn-costs';
import { TurnRequestAuthorizer } from '../src/key/turn-request-authorizer';
import { TurnPayments } from '../src/key/turn-payments';
import { TurnUsageSink } from '../src/turn/turn-usage-sink';
import { ask } from './gateway-bench';
import { replyStreaming, startModelUpstream, streamedAnswer, type ModelUpstream } from './model-upstream';

export const TEAM_KEY = `sk-ant-api03-${'t'.repeat(60)}`;
export const MESSAGE = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 1_000,
  stream: true,
  messages: [{ role: 'user', content: 'hello' }],
});

/** What the program itself says of a turn that failed. */
export const FAILED = {
  cause: 'fail' as const,
  error: { code: 'HARNESS_FAILURE' as const, detail: 'What the program says.' },
};

const secrets = new SecretBox(Buffer.alloc(32, 1));

/** The gateway of an installation that has no key, with one team that has one and one team that has none. */
export class BilledGateway {
  /** What was stored of every message. */
  readonly stored: UsageEntry[] = [];
  withKey!: { id: string };
  without!: { id: string };
  private gateway!: ModelGateway<TurnUsageBinding>;
  private upstreams!: ModelUpstreams;
  /** What the gateway reads, so that a test may watch it. */
  readonly keys: ModelKeyRepository;
  private readonly runDir = mkdtempSync('/tmp/chi-pay-');

  private constructor(
    readonly database: TestDatabase,
    /** Stands for the service that a key pays. */
    readonly real: ModelUpstream,
  ) {
    this.keys = new ModelKeyRepository(database);
  }

  static async start(): Promise<BilledGateway> {
    const answer = streamedAnswer('msg_1', 'from the real one').map((part) =>
      part.replace('claude-answering', 'claude-sonnet-4-5'),
    );
    const billed = new BilledGateway(await startTestDatabase(), await startModelUpstream(replyStreaming(answer)));
    await billed.open();
    return billed;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    this.upstreams.service.close();
    await this.upstreams.close();
    await this.real.close();
    await this.database.close();
    rmSync(this.runDir, { recursive: true, force: true });
  }

  async putKey(teamId: string, userId: string | null, value: string, box = secrets): Promise<string> {
    const id = newId('key');
    await this.keys.put({
      id,
      teamId,
      userId,
      sealed: box.seal(value, modelKeySealOf(id)),
      hint: null,
      createdBy: { userId: newId('user'), name: 'Someone' },
    });
    return id;
  }

  /** A turn of a new member; `stops`: what the turn learned about its payments. */
  async turnOf(teamId: string, limitUsd: string | null = null) {
    const author = await buildUser(this.database.pool, { teamId, name: 'Ada' });
    const stops: string[] = [];
    const payments = new TurnPayments(new TurnBudget(limitUsd), {
      refused: ({ code }) => void stops.push(code === 'FORBIDDEN' ? 'forbidden' : 'stopped'),
      budgetReached: () => undefined,
      answersShortened: () => void stops.push('shortened'),
    });
    const lease: GatewayLease<TurnUsageBinding> = await this.gateway.open({ processId: newId('process') });
    lease.bind({
      turnId: newId('turn'),
      attempt: 1,
      authorId: author.id,
      authorName: author.name,
      sessionId: 's',
      teamId,
      projectId: 'p',
      persona: null,
      costs: new TurnCosts(() => undefined),
      payments,
      onEgressRefused: () => undefined,
    });
    const send = (path = '/v1/messages?beta=true', body = MESSAGE) =>
      ask(lease.socketPath, { token: lease.token, path, body });
    return { author, payments, lease, send, stops };
  }

  private async open(): Promise<void> {
    this.withKey = await buildTeam(this.database.pool);
    this.without = await buildTeam(this.database.pool);
    const opened = await openModelUpstreams(
      loadConfig({
        DATABASE_URL: 'postgresql://x/x',
        REDIS_URL: 'redis://x',
        CHIRALITY_DATA_DIR: this.runDir,
        CHIRALITY_RUN_DIR: this.runDir,
      }),
      'work_test',
    );
    // What goes to Anthropic elsewhere goes to a service of this test.
    this.upstreams = { ...opened, service: new Upstream({ url: this.real.url }) };
    expect([opened.serviceKey, opened.demo]).toEqual([null, expect.any(Upstream)]);
    const quiet = { warn: () => undefined };
    this.gateway = new ModelGateway({
      authorizer: new TurnRequestAuthorizer(
        new AccountFinder(this.keys, secrets, this.upstreams),
        this.keys,
        new RequestFunding(new BudgetSpendingRepository(this.database), quiet),
        () => DEFAULT_PRICES,
        quiet,
      ),
      runDir: this.runDir,
      onUsage: new TurnUsageSink(
        { recordUsage: async (entry: UsageEntry) => (this.stored.push(entry), []) } as never,
        () => DEFAULT_PRICES,
      ),
      log: { warn: () => undefined, error: () => undefined },
    });
    await this.putKey(this.withKey.id, null, TEAM_KEY);
  }
}
