import { readFileSync } from 'node:fs';

/**
 * @typedef {object} StopRequest
 * @property {Promise<void>} requested
 * @property {() => boolean} isRequested
 * @property {(act: () => void) => void} onSecondRequest
 */

const HANGUP = 1;

/**
 * Waits for Ctrl-C, SIGTERM, a closed terminal, or the end of the npm that started this process. A second request is
 * a separate event: the user does not want to wait.
 * @returns {StopRequest}
 */
export function untilStopRequested() {
  let requested = false;
  /** @type {() => void} */
  let onSecond = () => undefined;
  /** @type {() => void} */
  let resolve = () => undefined;
  /** @type {Promise<void>} */
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

/**
 * npm that is killed does not end what it started, nor does the shell between it and this process, so both are watched.
 * @param {() => void} request
 */
function watchParent(request) {
  if (!process.env.npm_lifecycle_event) return;
  const ancestors = () => [process.ppid, parentOf(process.ppid)].join();
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    request();
  }, 500);
  timer.unref();
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return null;
  }
}
