import { fixedToken, signedFetch, unsignedFetch } from './signed-fetch';

const URL = 'http://chirality.test/v1/me';

/** Answers each request with the next of these, and remembers what was sent. */
function answering(...answers: (Response | ((request: Request) => Promise<Response>))[]) {
  const sent: { authorization: string | null; body: string }[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    sent.push({ authorization: request.headers.get('authorization'), body: await request.clone().text() });
    const next = answers.shift();
    if (next === undefined) throw new TypeError('nothing answers');
    return typeof next === 'function' ? next(request) : next;
  });
  return sent;
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, detail: 'No.' }, { status, headers });

/** Never answers; rejects as `fetch` does when its signal is aborted. */
const silent = (request: Request) =>
  new Promise<Response>((_resolve, reject) => {
    const end = () => reject(request.signal.reason as Error);
    if (request.signal.aborted) end();
    else request.signal.addEventListener('abort', end);
  });

describe('a request', () => {
  const tokens = { token: async () => 'old', renew: async () => 'new' };
  afterEach(() => jest.restoreAllMocks());

  it('carries the token, and once more a new one with the same body when that was refused', async () => {
    const sent = answering(refusal(401, 'UNAUTHENTICATED'), Response.json({ ok: true }));
    const answer = await signedFetch(tokens)(new Request(URL, { method: 'POST', body: '{"a":1}' }));
    expect(await answer.json()).toEqual({ ok: true });
    expect(sent).toEqual([
      { authorization: 'Bearer old', body: '{"a":1}' },
      { authorization: 'Bearer new', body: '{"a":1}' },
    ]);
  });

  it('fails with the refusal of the second token', async () => {
    answering(refusal(401, 'UNAUTHENTICATED'), refusal(401, 'UNAUTHENTICATED'));
    await expect(signedFetch(tokens)(new Request(URL))).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  it('is sent once with a token that cannot be renewed', async () => {
    const sent = answering(refusal(401, 'TOKEN_REVOKED'));
    await expect(signedFetch(fixedToken('only'))(new Request(URL))).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    expect(sent).toEqual([{ authorization: 'Bearer only', body: '' }]);
  });

  it('fails with the code of a refusal and how long it lasts', async () => {
    answering(refusal(429, 'RATE_LIMITED', { 'retry-after': '20' }));
    await expect(unsignedFetch()(new Request(URL))).rejects.toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      message: 'No.',
      retryAfterMs: 20_000,
    });
  });

  it('fails as unreachable when nothing answers, or nothing in time', async () => {
    answering(silent);
    await expect(unsignedFetch(10)(new Request(URL))).rejects.toMatchObject({ code: 'NETWORK', isPassing: true });
    await expect(unsignedFetch()(new Request(URL))).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('ends with the reason of its signal when it is aborted', async () => {
    answering(silent);
    const stop = new AbortController();
    const answer = signedFetch(tokens)(new Request(URL, { signal: stop.signal }));
    stop.abort(new Error('left the page'));
    await expect(answer).rejects.toThrow('left the page');
  });
});
