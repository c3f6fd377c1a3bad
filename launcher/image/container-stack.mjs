import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, startChild } from '../services/child.mjs';
import { CHECKOUT } from '../host/checkout.mjs';
import { postgresService, prepareCluster } from '../services/postgres.mjs';
import { findRedis } from '../host/programs.mjs';
import { redisService } from '../services/redis.mjs';
import { Sentence } from '../text/sentence.mjs';
import { imageName } from './build-images.mjs';
import { podman } from './podman.mjs';

/**
 * @typedef {object} ComposeService The options of a service in docker-compose.yml that are read here.
 * @property {string} image
 * @property {string[]} [command]
 * @property {string} [user]
 * @property {boolean} [init]
 * @property {boolean} [read_only]
 * @property {string[]} [cap_drop]
 * @property {string[]} [security_opt]
 * @property {string[]} [tmpfs]
 * @property {string} [mem_limit]
 * @property {number} [pids_limit]
 * @property {string[]} [volumes]
 */

/**
 * The images' user.
 * @type {import('../host/identity.mjs').Owner & { foreign: true }}
 */
const OWNER = { uid: 1000, gid: 1000, foreign: true };
const PORT = 3907;

/**
 * api and worker in containers with the options of docker-compose.yml, on a Postgres and a Redis of this machine,
 * reached by their unix sockets: the containers have no private network here.
 */
export class ContainerStack {
  url = `http://127.0.0.1:${PORT}`;
  /** @type {{ child: import('../services/child.mjs').Child, stopSignal: NodeJS.Signals }[]} */
  #services = [];
  /** @type {string[]} */
  #containers = [];
  /** @type {string[]} */
  #volumes = [];

  /** @param {string} scratch */
  constructor(scratch) {
    this.scratch = scratch;
    this.runDir = join(scratch, 'run');
  }

  async start() {
    chownSync(this.scratch, OWNER.uid, OWNER.gid);
    mkdirSync(this.runDir);
    mkdirSync(join(this.scratch, 'redis'));
    for (const path of [this.runDir, join(this.scratch, 'redis')]) chownSync(path, OWNER.uid, OWNER.gid);
    await prepareCluster(CHECKOUT, this.scratch, OWNER);
    const place = { root: CHECKOUT, dataDir: this.scratch, runDir: this.runDir };
    const postgres = await this.#serve(postgresService(place));
    const redis = await this.#serve(redisService({ ...place, program: await findRedis() }));
    const environment = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      CHIRALITY_TRUST_PROXY: 'uniquelocal',
      CHIRALITY_PUBLIC_URL: this.url,
      PORT: String(PORT),
    };

    /** @type {{ services: Record<string, ComposeService> }} */
    const { services } = createRequire(join(CHECKOUT, 'package.json'))('yaml').parse(
      readFileSync(join(CHECKOUT, 'docker-compose.yml'), 'utf8'),
      { merge: true },
    );
    await this.#run('secrets', services.secrets, environment, ['--rm']);
    await this.#run('migrate', services.migrate, environment, ['--rm']);
    await this.#run('api', services.api, environment, ['-d']);
    await this.#run('worker', services.worker, environment, ['-d']);
    await this.#until(async () => (await fetch(`${this.url}/health/ready`).catch(() => null))?.ok, 'the api is ready');
    await this.#until(
      async () => (await podman('logs', this.#name('worker'))).includes('worker.ready'),
      'the worker is ready',
    );
  }

  firstLogin() {
    return podman('exec', this.#name('api'), 'node', 'docker/first-login.mjs');
  }

  async stop() {
    for (const container of this.#containers) await podman('stop', '-t', '60', container);
    const codes = await Promise.all(
      this.#containers.map((container) => podman('inspect', '-f', '{{.State.ExitCode}}', container)),
    );
    if (codes.some((code) => code !== '0'))
      throw new Sentence(`Containers ended with ${codes.join(', ')} instead of 0.`);
  }

  /** The last words of every container, for the message of a failure. */
  describe() {
    return this.#containers
      .map(
        (container) =>
          `--- ${container}\n${spawnSync('podman', ['logs', '--tail', '15', container], { encoding: 'utf8' }).stdout}`,
      )
      .join('\n');
  }

  async remove() {
    spawnSync('podman', ['rm', '-f', ...this.#containers]);
    spawnSync('podman', ['volume', 'rm', '-f', ...this.#volumes]);
    for (const { child, stopSignal } of this.#services.reverse()) await endChild(child, stopSignal, 10_000);
  }

  /** @param {string} service */
  #name(service) {
    return `chirality-image-test-${service}`;
  }

  /** @param {import('../services/service.mjs').DataService} description */
  async #serve(description) {
    const identity = ['--reuid', String(OWNER.uid), '--regid', String(OWNER.gid), '--clear-groups', '--'];
    const child = startChild('setpriv', [...identity, description.command, ...description.args], {
      env: description.env,
      cwd: '/',
      deathSignal: 'KILL',
    });
    this.#services.push({ child, stopSignal: description.stopSignal });
    await this.#until(async () => description.isReady(), `${description.name} answers`);
    return description;
  }

  /**
   * @param {string} service
   * @param {ComposeService | undefined} options
   * @param {Record<string, string>} environment
   * @param {string[]} flags
   */
  async #run(service, options, environment, flags) {
    if (options === undefined) throw new Sentence(`docker-compose.yml has no service ${service}.`);
    const name = this.#name(service);
    const target = options.image.includes('worker') ? 'worker' : 'api';
    if (flags.includes('-d')) this.#containers.push(name);
    const command = options.command ?? [];
    await podman(
      'run',
      ...flags,
      '--name',
      name,
      '--network',
      'host',
      '-v',
      `${this.runDir}:${this.runDir}`,
      ...this.#flagsOf(options),
      ...variables(environment),
      imageName(target),
      ...command,
    );
  }

  /**
   * Compose's options as podman's.
   * @param {ComposeService} options
   */
  #flagsOf({
    user,
    init,
    read_only,
    cap_drop = [],
    security_opt = [],
    tmpfs = [],
    mem_limit,
    pids_limit,
    volumes = [],
  }) {
    const security = security_opt.map((option) =>
      option === 'systempaths=unconfined' ? 'unmask=ALL' : option.replace(/\$\{CHIRALITY_APPARMOR:-(\w+)\}/, '$1'),
    );
    return [
      // The host may allow less than podman's own defaults.
      ...['--ulimit', 'nofile=8192:8192', '--ulimit', 'nproc=8192:8192'],
      ...(user ? ['--user', user] : []),
      ...(init ? ['--init'] : []),
      ...(read_only ? ['--read-only'] : []),
      ...cap_drop.flatMap((capability) => ['--cap-drop', capability]),
      ...security.flatMap((option) => [
        '--security-opt',
        option.replace('no-new-privileges:true', 'no-new-privileges'),
      ]),
      ...tmpfs.flatMap((mount) => ['--tmpfs', mount]),
      ...(mem_limit ? ['--memory', mem_limit] : []),
      ...(pids_limit ? ['--pids-limit', String(pids_limit)] : []),
      ...volumes.flatMap((volume) => ['-v', this.#volumeOf(volume)]),
    ];
  }

  /** @param {string} volume */
  #volumeOf(volume) {
    if (!/^[a-z]/.test(volume)) return volume;
    const [source = '', ...rest] = volume.split(':');
    const name = this.#name(source);
    if (!this.#volumes.includes(name)) this.#volumes.push(name);
    return [name, ...rest].join(':');
  }

  /**
   * @param {() => unknown} condition
   * @param {string} what
   */
  async #until(condition, what) {
    for (let tries = 0; tries < 300; tries += 1) {
      if (await condition()) return;
      await sleep(200);
    }
    throw new Sentence(`Timed out after a minute until ${what}.`);
  }
}

/** @param {Record<string, string>} environment */
function variables(environment) {
  return Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
}
