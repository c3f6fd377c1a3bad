import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from './logger';

describe('createLogger', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('adds to each line what it is written on behalf of', () => {
    let request: object = { requestId: 'req_1' };
    const logger = createLogger({ name: 'unit', level: 'fatal', dataDir, context: () => request });
    logger.fatal('first');
    request = {};
    logger.fatal({ requestId: 'req_own' }, 'second');
    const lines = readFileSync(join(dataDir, 'logs', 'unit.log'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg, requestId }) => [msg, requestId])).toEqual([
      ['first', 'req_1'],
      ['second', 'req_own'],
    ]);
  });

  it('writes one JSON object a line with name, level and time, and leaves known secrets out', () => {
    const logger = createLogger({ name: 'unit', level: 'fatal', dataDir });
    logger.info('not at this level');
    logger
      .child({ turn: 'turn_1' })
      .fatal(
        { password: 'hunter2', req: { headers: { authorization: 'Bearer abc', host: 'h' } }, text: 'a\n\u001b[2Jb' },
        'stopped',
      );
    const lines = readFileSync(join(dataDir, 'logs', 'unit.log'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 'fatal',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        pid: process.pid,
        hostname: expect.any(String),
        name: 'unit',
        turn: 'turn_1',
        password: '«redacted»',
        req: { headers: { authorization: '«redacted»', host: 'h' } },
        text: 'a\n\u001b[2Jb',
        msg: 'stopped',
      },
    ]);
    expect(lines[0]).not.toContain('\u001b');
  });

  it('masks secrets in messages, fields and errors', () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(31)}AA`;
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBg'.repeat(8)}\n-----END PRIVATE KEY-----`;
    createLogger({ name: 'unit', level: 'fatal', dataDir }).fatal(
      { err: new Error(`refused ${key}`), nested: { pem } },
      `tried ${key}`,
    );
    const text = readFileSync(join(dataDir, 'logs', 'unit.log'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      msg: expect.stringMatching(/^tried «redacted:/),
      err: { message: expect.stringMatching(/^refused «redacted:/) },
    });
    expect(text).not.toContain('Ab1Ab1');
    expect(text).not.toContain('MIIEvQIBADANBg');
  });
});
