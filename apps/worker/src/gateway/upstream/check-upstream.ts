import type { TurnErrorCode } from '@chirality/contracts';
import { upstreamHeaders } from './headers';
import { readAtMost } from './request-body';
import type { Upstream } from './upstream';

type UpstreamCheck =
  | { ok: true; ms: number }
  | { ok: false; code: Extract<TurnErrorCode, 'MODEL_UNREACHABLE' | 'MODEL_AUTH_FAILED'>; detail: string };

/** Any model's name will do: a service that says it does not know it has been reached. */
const DEFAULT_MODEL = 'claude-haiku-4-5';

/** Asks for a count of tokens, which is free and needs the key. Never rejects. */
export async function checkUpstream(
  upstream: Upstream,
  apiKey: string,
  { model = DEFAULT_MODEL, timeoutMs = 10_000 }: { model?: string; timeoutMs?: number } = {},
): Promise<UpstreamCheck> {
  const startedAt = performance.now();
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'ping' }] }));
  const asked = { accept: 'application/json', 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const call = upstream.post({
    path: '/v1/messages/count_tokens',
    body,
    headers: upstreamHeaders(asked, upstream.host, apiKey, body.length),
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    call.cancel();
  }, timeoutMs);
  try {
    const response = await call.response;
    await readAtMost(response, 64 * 1024);
    if (timedOut) return unreachable(`did not answer within ${timeoutMs / 1000} s`);
    return judge(response.statusCode ?? 0, performance.now() - startedAt);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return unreachable(
      timedOut ? `did not answer within ${timeoutMs / 1000} s` : `cannot be reached (${code ?? 'connection lost'})`,
    );
  } finally {
    clearTimeout(timer);
  }
}

function judge(status: number, ms: number): UpstreamCheck {
  if (status === 401 || status === 403)
    return { ok: false, code: 'MODEL_AUTH_FAILED', detail: 'The model’s service refused the key.' };
  return status >= 500 ? unreachable(`answers with status ${status}`) : { ok: true, ms };
}

function unreachable(how: string): UpstreamCheck {
  return {
    ok: false,
    code: 'MODEL_UNREACHABLE',
    detail: `The model’s service ${how}. Check ANTHROPIC_BASE_URL and the network.`,
  };
}
