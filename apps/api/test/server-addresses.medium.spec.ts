import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@chirality/platform';
import { io } from 'socket.io-client';
import supertest from 'supertest';
import { WebSocket } from 'ws';
import type { ApiClient } from './api-client';
import { ApiHarness, OWNER } from './api-harness';
import { FrameClient } from './frame-client';

jest.setTimeout(60_000);

describe('the addresses of a server', () => {
  const BASE = '/tools/chirality';
  let directory: string;
  let socketPath: string;
  let api: ApiHarness;
  let owner: ApiClient;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'chi-sock-'));
    socketPath = join(directory, 'api.sock');
    api = await ApiHarness.start({
      env: { CHIRALITY_PUBLIC_URL: `http://host.example${BASE}/`, CHIRALITY_SOCKET: socketPath },
    });
    owner = await api.client.login();
  });
  afterAll(async () => {
    await api.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const overSocket = (path: string, token: string | null = owner.token): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      const asked = request({ socketPath, path, headers }, (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.once('error', reject);
      asked.end();
    });

  describe('below a path of another host', () => {
    it.each(['', BASE])('are the same with and without it: "%s" is passed on by the proxy', async (prefix) => {
      const me = await owner.get(`${prefix}/v1/me`).expect(200);
      expect((me.body as { user: { id: string } }).user.id).toBe(owner.user.id);
      await owner.get(`${prefix}/health/live`).expect(200);
      const openApi = await owner.get(`${prefix}/v1/openapi.json`).expect(200);
      expect((openApi.body as { servers: object[] }).servers).toEqual([{ url: BASE }]);
      const page = await owner.get(`${prefix}/docs`).expect(200);
      expect(page.text).toContain(`src="${BASE}/docs/swagger-ui-bundle.js"`);
      await owner.get(`${prefix}/docs/swagger-ui.css`).expect(200);
      expect((await owner.get(`${prefix}/docs/open.js`).expect(200)).text).toContain(`${BASE}/v1/openapi.json`);

      const frames = await FrameClient.connect(`${api.url}${prefix}`);
      expect((await frames.shake(owner.token)).frame).toBe('handshake');
      frames.close();
      const socket = io(api.url, {
        path: `${prefix}/socket.io`,
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: { token: owner.token },
      });
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
      socket.close();
    });

    it('have their own cookies and links', async () => {
      const signedIn = await supertest(api.url).post(`${BASE}/v1/auth/login`).send(OWNER).expect(200);
      const cookies = signedIn.headers['set-cookie'] as unknown as string[];
      expect(cookies.find((cookie) => cookie.startsWith('chirality_refresh='))).toContain(`Path=${BASE}/v1/auth;`);
      const { id } = await owner.team();
      const invited = await owner.post(`/v1/teams/${id}/invitations`, { email: 'a@example.org' }).expect(201);
      expect((invited.body as { link: string }).link).toMatch(/^http:\/\/host\.example\/tools\/chirality\/invitation#/);
    });

    it('are not others that begin alike', async () => {
      await owner.get(`${BASE}-old/v1/me`).expect(404);
    });
  });

  describe('on a Unix socket', () => {
    it('are the same, for this user alone, and with a token', async () => {
      expect(statSync(socketPath).mode & 0o777).toBe(0o600);
      expect((await overSocket('/v1/me')).status).toBe(200);
      expect((await overSocket('/v1/me', null)).status).toBe(401);
      const frames = new FrameClient(new WebSocket(`ws+unix:${socketPath}:/v1/ws`));
      await new Promise((resolve) => frames.socket.once('open', resolve));
      expect((await frames.shake(owner.token)).frame).toBe('handshake');
      frames.close();
    });

    it('are not taken from a process that listens, nor from what is no socket', async () => {
      await expect(api.startNode({ CHIRALITY_SOCKET: socketPath })).rejects.toThrow(/another process that listens/);
      expect((await overSocket('/v1/me')).status).toBe(200);
      const file = join(directory, 'notes.txt');
      writeFileSync(file, 'mine');
      await expect(api.startNode({ CHIRALITY_SOCKET: file })).rejects.toThrow(ConfigError);
      expect(statSync(file).size).toBe(4);
    });

    it('replace what a killed process left', async () => {
      const left = join(directory, 'left.sock');
      const killed = createServer();
      await new Promise<void>((resolve) => killed.listen(left, resolve));
      // As after a kill: the name stays, and no one listens.
      renameSync(left, `${left}.kept`);
      await new Promise((resolve) => killed.close(resolve));
      renameSync(`${left}.kept`, left);
      await api.startNode({ CHIRALITY_SOCKET: left });
      const answered = await new Promise<number>((resolve, reject) =>
        request({ socketPath: left, path: '/health/live' }, ({ statusCode = 0 }) => resolve(statusCode))
          .once('error', reject)
          .end(),
      );
      expect(answered).toBe(200);
    });
  });
});
