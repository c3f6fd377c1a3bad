// Runs alone: it measures how soon what was killed is back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from '@chirality/scripted-model';
import { MODEL_KEY, TestClient, waitFor } from '@chirality/testing';
import { sendUntilAccepted } from '../apps/worker/e2e/support/send-until-accepted.ts';
import { expectSoundLog } from '../apps/worker/e2e/support/session-laws.ts';
import { Stopwatch } from '../apps/worker/e2e/support/stopwatch.ts';
import { freePort, pidOf, Started } from './testing/started.mjs';

/** Of each of the five; `npm run kills` makes it twelve, which are sixty. */
const KILLS_OF_EACH = Number(process.env.CHIRALITY_KILLS_OF_EACH ?? 1);
const VICTIMS = ['api', 'worker', 'postgres', 'redis', 'supervisor'];
/**
 * What runs when it happens: nothing, a turn that was just accepted, one that has begun, one that has said something.
 * @type {('idle' | 'accepted' | 'begun' | 'speaking')[]}
 */
const MOMENTS = ['idle', 'accepted', 'begun', 'speaking'];
const OWNER = {
  CHIRALITY_OWNER_EMAIL: 'owner@example.com',
  CHIRALITY_OWNER_PASSWORD: 'correct-horse-battery-staple-9',
};

jest.setTimeout(60_000 + KILLS_OF_EACH * VICTIMS.length * 120_000);

/**
 * The same order for the same seed (mulberry32).
 * @param {number} seed
 */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @template T
 * @param {T[]} items
 * @param {() => number} random
 */
function shuffled(items, random) {
  return items
    .map((item) => ({ rank: random(), item }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** @type {[name: string, way: { keyed: boolean, short: string, long: string }][]} */
const WAYS = [
  ['without a key, on the demo model', { keyed: false, short: 'Hello', long: 'Explain this project to me' }],
  ['with a key', { keyed: true, short: '[[text Still here.]]', long: `[[text ${'word '.repeat(400)}]]` }],
];

describe.each(WAYS)('processes that are killed at random, %s', (way, { keyed, short, long }) => {
  const watch = new Stopwatch();
  const random = randomOf(Number(process.env.CHIRALITY_KILLS_SEED ?? 7));
  /** @type {Map<string, string>} */
  const accepted = new Map();
  /** @type {string} */
  let dataDir;
  /** @type {Started} */
  let service;
  /** @type {Awaited<ReturnType<typeof startScriptedModel>> | null} */
  let model = null;
  /** @type {NodeJS.ProcessEnv} */
  let env;
  /** @type {{ id: string }[]} */
  let sessions;
  let turns = 0;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'chi-'));
    if (keyed)
      model = await startScriptedModel({ listen: { host: '127.0.0.1', port: 0 }, directives: true, wordDelayMs: 5 });
    env = { ...OWNER, ...(model ? { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: MODEL_KEY } : {}) };
    service = await new Started(dataDir, await freePort(), env).untilReady();
    const person = await signIn();
    const project = await person.createProject();
    sessions = await Promise.all([1, 2, 3].map(() => person.createSession(project.id)));
  });
  afterAll(async () => {
    watch.report(`processes that are killed, ${way}`);
    await service?.stop();
    await model?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const signIn = () => TestClient.login(service.url, OWNER.CHIRALITY_OWNER_EMAIL, OWNER.CHIRALITY_OWNER_PASSWORD);
  /**
   * @template T
   * @param {T[]} items
   */
  const pick = (items) => {
    const picked = items[Math.floor(random() * items.length)];
    if (picked === undefined) throw new Error('there is nothing to pick');
    return picked;
  };

  /**
   * @param {TestClient} person
   * @param {{ id: string }} session
   * @param {string} message
   */
  async function send(person, session, message) {
    turns += 1;
    const turn = await sendUntilAccepted(person, session.id, message, `kill-${turns}`, 60_000);
    accepted.set(turn.id, session.id);
    return turn;
  }

  /**
   * @param {(typeof MOMENTS)[number]} moment
   * @param {TestClient} person
   * @param {{ id: string }} session
   */
  async function until(moment, person, session) {
    if (moment === 'idle') return;
    const turn = await send(person, session, long);
    if (moment === 'accepted') return;
    const kind = moment === 'begun' ? 'turn:start' : 'chat:delta';
    await waitFor(
      async () =>
        (await person.events(session.id)).some(
          (event) => event.turn === turn.id && [kind, 'turn:end'].includes(event.kind),
        ),
      { what: `${kind} is seen`, timeoutMs: 60_000, everyMs: 20 },
    );
  }

  /** @param {string} victim */
  async function kill(victim) {
    if (victim !== 'supervisor') {
      const pid = pidOf(dataDir, victim);
      if (pid === null) throw new Error(`there is no ${victim}`);
      process.kill(pid, 'SIGKILL');
      return;
    }
    const { port } = new URL(service.url);
    await service.stop('SIGKILL');
    service = await startAgain(Number(port));
  }

  /**
   * The supervisor starts it again at once; what is left of the killed one may need a moment to end.
   * @param {number} port
   * @returns {Promise<Started>}
   */
  async function startAgain(port) {
    let next = new Started(dataDir, port, env);
    await waitFor(
      async () => {
        if (next.ended) next = new Started(dataDir, port, env);
        return next.untilReady().then(
          () => true,
          (error) => {
            if (!/is taken by another program|already running/.test(error.message)) throw error;
            return false;
          },
        );
      },
      { what: 'it starts again', timeoutMs: 60_000, everyMs: 100 },
    );
    return next;
  }

  /** @param {number | null} killed */
  async function untilWell(killed) {
    const { url } = service;
    const isBack = () =>
      VICTIMS.filter((name) => name !== 'supervisor').every(
        (name) => pidOf(dataDir, name) !== null && pidOf(dataDir, name) !== killed,
      );
    const health = async () => {
      const response = await fetch(`${url}/health/ready`).catch(() => null);
      return response?.text().catch(() => '');
    };
    await waitFor(async () => isBack() && /"status":\s*"ok"/.test((await health()) ?? ''), {
      what: 'everything is well again',
      timeoutMs: 60_000,
      everyMs: 50,
    });
  }

  async function mayAnyoneSignIn() {
    const { email, password } = { email: OWNER.CHIRALITY_OWNER_EMAIL, password: OWNER.CHIRALITY_OWNER_PASSWORD };
    const response = await fetch(`${service.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    await response.arrayBuffer();
    // Only this is what a client may meet, and is asked to try again.
    if (response.status !== 503) expect(response.ok).toBe(true);
    return response.ok;
  }

  const order = shuffled(
    VICTIMS.flatMap((victim) => Array.from({ length: KILLS_OF_EACH }, () => victim)),
    random,
  ).map((victim, index) => ({ number: index + 1, victim, moment: pick(MOMENTS) }));

  it.each(order)('kill $number: the $victim, while a turn is $moment', async ({ victim, moment }) => {
    const session = pick(sessions);
    await until(moment, await signIn(), session);
    const killed = victim === 'supervisor' ? null : pidOf(dataDir, victim);
    const from = performance.now();
    await kill(victim);
    await untilWell(killed);
    // Health is looked at now and then: for a moment it may tell of the server that was killed.
    await waitFor(() => mayAnyoneSignIn(), { what: 'a sign-in is accepted', timeoutMs: 60_000, everyMs: 50 });
    watch.note(
      victim === 'supervisor' ? 'started again' : 'ready',
      performance.now() - from,
      victim === 'supervisor' ? 30_000 : 10_000,
    );
    const person = await signIn();
    const other = sessions.find((each) => each !== session) ?? session;
    const next = await send(person, other, short);
    expect(await person.waitForEnd(other.id, next.id, 90_000)).toMatchObject({ status: 'completed' });
    watch.note('queue moving', performance.now() - from, 30_000);
    for (const [turnId, sessionId] of accepted) await person.waitForEnd(sessionId, turnId, 60_000);
    for (const each of sessions) {
      const log = await person.events(each.id);
      expectSoundLog(log);
      const mine = [...accepted].filter(([, sessionId]) => sessionId === each.id).map(([turnId]) => turnId);
      expect([...new Set(log.flatMap(({ turn }) => turn ?? []))].sort()).toEqual(mine.sort());
    }
  });
});
