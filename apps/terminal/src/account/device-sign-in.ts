import { answerOf, ApiError, createApi, unsignedFetch } from '@chirality/client';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import { oneLine } from '../text/safe-text';

type DeviceSignIn = {
  server: string;
  clientName: string;
  say: (line: string) => void;
  sleep: (ms: number) => Promise<void>;
};

/** Signs in as RFC 8628 has it: shows a code, and waits until a person has confirmed it in a browser. */
export async function signInByDevice({ server, clientName, say, sleep }: DeviceSignIn): Promise<string> {
  const api = createApi({ baseUrl: server, fetch: unsignedFetch() });
  const code = await answerOf(api.POST('/v1/auth/device', { body: { clientName } }));
  say(`Open ${oneLine(code.verificationUri)}`);
  say(`and enter the code ${oneLine(code.userCode)}`);
  let waitMs = code.interval * 1000;
  const until = Date.now() + code.expiresIn * 1000;
  while (Date.now() < until) {
    await sleep(waitMs);
    try {
      const { secret } = await answerOf(api.POST('/v1/auth/device/token', { body: { deviceCode: code.deviceCode } }));
      return secret;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'DEVICE_CODE_PENDING') waitMs = secondsIn(error) ?? waitMs;
      // What is passing is asked for again; the code stays good meanwhile.
      else if (!error.isPassing) throw error;
    }
  }
  throw new Failure(EXIT.notSignedIn, 'The code has expired. Run chirality login again.');
}

function secondsIn({ problem }: ApiError): number | null {
  const seconds = problem['intervalSeconds'];
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : null;
}
