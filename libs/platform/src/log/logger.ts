import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config/environment';
import { maskLogLine } from './mask-line';
import { RotatingFile } from './rotating-file';

export type { Logger } from 'pino';

const REDACTED_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-api-key"]',
  'req.headers["proxy-authorization"]',
  'res.headers["set-cookie"]',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  '*.password',
  '*.token',
  '*.accessToken',
  '*.refreshToken',
];

/**
 * A logger of one JSON object a line, to standard output and to `<dataDir>/logs/<name>.log` (10 MB, then rotated).
 * `context` is asked for each line what it belongs to, such as a request; the line's own fields win.
 * Known secret fields are left out and what looks like a secret is masked; text that a person or a model wrote is cut by the caller (`cutForLog`).
 */
export function createLogger({
  name,
  level,
  dataDir,
  context,
}: {
  name: string;
  level: LogLevel;
  dataDir: string | null;
  context?: () => object;
}): Logger {
  const options = {
    name,
    level,
    redact: { paths: REDACTED_PATHS, censor: '«redacted»' },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(context ? { mixin: () => ({ ...context() }) } : {}),
    hooks: { streamWrite: maskLogLine },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const stdout = pino.destination({ fd: 1, sync: true });
  if (dataDir === null) return pino(options, stdout);
  const file = new RotatingFile(join(dataDir, 'logs', `${name}.log`));
  return pino(
    options,
    pino.multistream([
      { level: 'trace', stream: stdout },
      { level: 'trace', stream: file },
    ]),
  );
}
