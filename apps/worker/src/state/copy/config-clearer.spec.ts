import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigClearer } from './config-clearer';

describe('clearing a configuration directory', () => {
  let directory: string;
  let config: string;
  const discarded: string[] = [];
  const clearer = new ConfigClearer({
    discard: async (path) => {
      discarded.push(path);
      renameSync(path, join(directory, 'discarded'));
    },
  });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'config-clearer-'));
    config = join(directory, 'config');
    mkdirSync(config);
    discarded.length = 0;
  });
  afterEach(() => {
    for (const name of readdirSync(directory))
      if (name === 'discarded') chmodSync(join(directory, name, 'inner'), 0o700);
    rmSync(directory, { recursive: true, force: true });
  });

  const put = (path: string) => {
    mkdirSync(join(config, path, '..'), { recursive: true });
    writeFileSync(join(config, path), 'x');
  };

  it('leaves the conversation, and takes all else away', async () => {
    for (const path of [
      'projects/-workspace/a.jsonl',
      'plans/p.md',
      '.claude.json',
      'settings.json',
      'dev-mods/s/m/hooks/r.ts',
      'unheard-of/x',
    ])
      put(path);
    await clearer.clear(config, ['projects', 'plans']);
    expect(readdirSync(config).sort()).toEqual(['plans', 'projects']);
    expect(existsSync(join(config, 'projects/-workspace/a.jsonl'))).toBe(true);
  });

  it('takes away a link or a file in the place of what is kept, and leaves what the link points to', async () => {
    put('../elsewhere/x');
    symlinkSync(join(directory, 'elsewhere'), join(config, 'projects'));
    put('plans');
    await clearer.clear(config, ['projects', 'plans']);
    expect(readdirSync(config)).toEqual([]);
    expect(existsSync(join(directory, 'elsewhere/x'))).toBe(true);
  });

  (process.getuid?.() === 0 ? it.skip : it)('puts aside a tree that cannot be entered', async () => {
    put('plugins/inner/x');
    chmodSync(join(config, 'plugins/inner'), 0o000);
    chmodSync(join(config, 'plugins'), 0o000);
    await clearer.clear(config, ['projects']);
    expect(readdirSync(config)).toEqual([]);
    expect(discarded).toEqual([join(config, 'plugins')]);
  });
});
