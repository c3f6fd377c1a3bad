import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RotatingFile } from './rotating-file';

describe('RotatingFile', () => {
  let dir: string;
  let path: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'chi-'));
    path = join(dir, 'logs', 'api.log');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('never grows past its size, keeps four older files and splits no line', () => {
    const file = new RotatingFile(path, 100);
    for (let line = 0; line < 100; line += 1) file.write(`line ${String(line).padStart(3, '0')} ${'x'.repeat(20)}\n`);
    file.close();
    const names = readdirSync(join(dir, 'logs')).sort();
    expect(names).toEqual(['api.log', 'api.log.1', 'api.log.2', 'api.log.3', 'api.log.4']);
    const newestFirst = names.map((name) => readFileSync(join(dir, 'logs', name), 'utf8'));
    for (const content of newestFirst) expect(content.length).toBeLessThanOrEqual(100);
    const numbers = newestFirst
      .reverse()
      .join('')
      .trim()
      .split('\n')
      .map((line) => Number(/^line (\d+) x{20}$/.exec(line)?.[1]));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 100 - numbers.length + at));
  });

  it('continues where an earlier process stopped, readable for its owner alone', () => {
    new RotatingFile(path).write('first\n');
    new RotatingFile(path).write('second\n');
    expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('follows when another process renamed the file away, and loses no line of either', () => {
    const mine = new RotatingFile(path, 40);
    const other = new RotatingFile(path, 40);
    for (let line = 10; line < 16; line += 1) {
      mine.write(`mine ${line} ----------\n`);
      other.write(`other ${line} ---------\n`);
    }
    const all = readdirSync(join(dir, 'logs'))
      .map((name) => readFileSync(join(dir, 'logs', name), 'utf8'))
      .join('');
    for (let line = 12; line < 16; line += 1) {
      expect(all).toContain(`mine ${line} `);
      expect(all).toContain(`other ${line} `);
    }
  });

  it('survives a place that cannot be written', () => {
    const file = new RotatingFile(join(__filename, 'logs', 'api.log'));
    expect(() => file.write('lost\n')).not.toThrow();
  });
});
