import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SessionMode } from '@chirality/contracts';

/** What Chirality ships beside its programs, seen from a built and from a source file of the worker alike. */
export const INSTRUCTION_ROOT = resolve(__dirname, '../../../../instructions');

type Cached = { mtimeMs: number; size: number; text: string };

/**
 * The texts that Chirality ships for every turn: base prompt and mode prompts. They are apart from every project, so an
 * update of Chirality changes no project. A file is read again when its time or size changed.
 */
export class InstructionRoot {
  private readonly cache = new Map<string, Cached>();

  constructor(private readonly root = INSTRUCTION_ROOT) {}

  base(): Promise<string> {
    return this.read('base.md');
  }

  mode(mode: SessionMode): Promise<string> {
    return this.read(`mode-${mode}.md`);
  }

  private async read(name: string): Promise<string> {
    const path = join(this.root, name);
    const { mtimeMs, size } = await stat(path);
    const cached = this.cache.get(path);
    if (cached && cached.mtimeMs === mtimeMs && cached.size === size) return cached.text;
    const text = await readFile(path, 'utf8');
    this.cache.set(path, { mtimeMs, size, text });
    return text;
  }
}
