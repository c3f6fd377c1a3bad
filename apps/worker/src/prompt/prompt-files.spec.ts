import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PromptFiles } from './prompt-files';

describe('the files of prompts', () => {
  let parent: string;
  let root: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'chirality-prompts-'));
    root = join(parent, 'prompts');
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('are one for each text, also when asked for at once', async () => {
    const files = new PromptFiles(root);
    const paths = await Promise.all(['a', 'b', 'a', 'a'].map((text) => files.keep(text)));
    expect(new Set(paths).size).toBe(2);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['a', 'b', 'a', 'a']);
    expect(await files.keep('a')).toBe(paths[0]);
    expect(readdirSync(root)).toHaveLength(2);
  });

  it('of an earlier life are removed, those of this one stay', async () => {
    const old = await new PromptFiles(root).keep('old');
    const files = new PromptFiles(root);
    const path = await files.keep('new');
    await files.keep('newer');
    expect(readdirSync(root)).toHaveLength(2);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(() => readFileSync(old)).toThrow('ENOENT');
  });

  it('are made once what was in the way is gone', async () => {
    writeFileSync(join(parent, 'file'), '');
    const files = new PromptFiles(join(parent, 'file', 'prompts'));
    await expect(files.keep('a')).rejects.toThrow();
    rmSync(join(parent, 'file'));
    expect(readFileSync(await files.keep('a'), 'utf8')).toBe('a');
  });
});
