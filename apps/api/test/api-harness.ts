import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@chirality/database';
import { loadConfig, type Config, type Logger } from '@chirality/platform';
import { startTestPostgres, startTestRedis, type TestPostgres, type TestRedis } from '@chirality/testing';
import { JwtService } from '@nestjs/jwt';
import pino from 'pino';
import { AccessTokens, accessTokenOptions } from '../src/access/access-tokens';
import type { AppOptions } from '../src/server/create-app';
import { closeServices, createServices, type Services } from '../src/server/services';
import { startServer, type RunningServer } from '../src/startup/start-server';
import { ApiClient } from './api-client';
import { StandInWorker } from './stand-in-worker';

export const OWNER = { email: 'owner@chirality.local', password: 'a password of the owner' };

type HarnessOptions = AppOptions & { env?: NodeJS.ProcessEnv; worker?: boolean };

/** One api process in here, on its own real Postgres and Redis, with a worker that only plays its part. */
export class ApiHarness {
  readonly logLines: string[] = [];
  readonly services: Services[] = [];
  worker!: StandInWorker;
  private running: RunningServer[] = [];

  private constructor(
    readonly postgres: TestPostgres,
    readonly redis: TestRedis,
    readonly dataDir: string,
    private readonly options: HarnessOptions,
  ) {}

  static async start(options: HarnessOptions = {}): Promise<ApiHarness> {
    const [postgres, redis] = await Promise.all([startTestPostgres(), startTestRedis()]);
    const harness = new ApiHarness(postgres, redis, mkdtempSync(join(tmpdir(), 'chi-api-')), options);
    await migrateDatabase(postgres.url);
    await harness.startNode();
    harness.worker = await StandInWorker.start(postgres.url, redis.url, { registered: options.worker ?? true });
    return harness;
  }

  /** Another api node on the same database and Redis; the first one is `nodes[0]`. */
  async startNode(env: NodeJS.ProcessEnv = {}): Promise<ApiClient> {
    const services = createServices(this.config(env), this.logger());
    const server = await startServer(services, { checkAnswers: true, ...this.options }).catch(
      async (error: unknown) => {
        await closeServices(services);
        throw error;
      },
    );
    this.running.push(server);
    this.services.push(services);
    await server.prepared;
    return new ApiClient(`http://127.0.0.1:${server.port}`);
  }

  get server(): RunningServer {
    return this.running[0] as RunningServer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  get client(): ApiClient {
    return new ApiClient(this.url);
  }

  /** Signs as the server does, or as one with another key. */
  tokens(secretKey = (this.services[0] as Services).config.secretKey): AccessTokens {
    return new AccessTokens(new JwtService(accessTokenOptions({ secretKey })));
  }

  /** Stops every api node; database, Redis and worker stay. */
  async stopNodes(): Promise<void> {
    await Promise.all(this.running.map((server) => server.stop()));
    this.running = [];
    this.services.length = 0;
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((server) => server.stop()));
    await this.worker?.stop();
    await Promise.all([this.postgres.stop(), this.redis.stop()]);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private config(env: NodeJS.ProcessEnv): Config {
    return loadConfig({
      PORT: '0',
      DATABASE_URL: this.postgres.url,
      REDIS_URL: this.redis.url,
      CHIRALITY_DATA_DIR: this.dataDir,
      CHIRALITY_OWNER_EMAIL: OWNER.email,
      CHIRALITY_OWNER_PASSWORD: OWNER.password,
      ...this.options.env,
      ...env,
    });
  }

  private logger(): Logger {
    return pino({ level: 'debug' }, { write: (line: string) => void this.logLines.push(line) });
  }
}
