import { readFileSync } from 'node:fs';

const HANGUP = 1;

/**
 * Waits for Ctrl-C, SIGTERM, a closed terminal, or the end of the npm that started this process. A second request is
 * a separate event: somebody does not want to wait.
 */
export function untilStopRequested() {
  let requested = false;
  let onSecond = () => undefined;
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  const request = () => {
    if (requested) onSecond();
    requested = true;
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', ...(isHangupIgnored() ? [] : ['SIGHUP'])]) process.on(signal, request);
  watchParent(request);
  return { requested: promise, isRequested: () => requested, onSecondRequest: (act) => (onSecond = act) };
}

/** nohup asked for the terminal's end to be ignored. */
function isHangupIgnored() {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${ignored}`) & BigInt(HANGUP)) !== 0n;
  } catch {
    return false;
  }
}

/** npm that is killed does not end what it started, so its end is watched for. */
function watchParent(request) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    request();
  }, 500);
  timer.unref();
}
