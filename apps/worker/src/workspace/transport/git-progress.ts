import type { SourceProgress } from '@chirality/contracts';

const UNITS: Record<string, number> = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
/** As a script of ours says it; what the other side sends has `remote:` before it. */
const REMOTE_SEEN = /^chirality: at the remote ([0-9a-f]{40,64}) (-|\d{1,10})$/;
const MAX_COUNT = 2_147_483_647;
const MAX_LINE_LENGTH = 1_000;

/**
 * Reads what `git fetch --progress` writes to stderr, in any pieces: a line that is written over itself, ended by a
 * carriage return. `last` is how far it is; `text` is the end of what was said besides.
 */
export class GitProgressReader {
  last: SourceProgress = { phase: 'connecting', percent: null, bytes: null };
  private rest = '';
  private readonly said: string[] = [];

  constructor(private readonly mostLines = 50) {}

  /** True when it advanced. */
  read(piece: string): boolean {
    const lines = (this.rest + piece).split(/[\r\n]/);
    this.rest = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH);
    let moved = false;
    for (const line of lines) moved = this.readLine(line.slice(0, MAX_LINE_LENGTH)) || moved;
    return moved;
  }

  /** What was no progress, a line each. */
  get text(): string {
    return [...this.said, this.rest].filter((line) => line !== '').join('\n');
  }

  private readLine(line: string): boolean {
    const next = progressOf(line, this.last);
    if (next) this.last = next;
    else if (line.trim() !== '' && !isOfTheRemote(line)) {
      this.said.push(line);
      if (this.said.length > this.mostLines) this.said.shift();
    }
    return next !== null;
  }
}

/** What the other side wants people to read; `remote: Counting objects` and the like. */
function isOfTheRemote(line: string): boolean {
  return /^remote: (?:Enumerating|Counting|Compressing|Total)\b/.test(line);
}

function progressOf(line: string, before: SourceProgress): SourceProgress | null {
  const [, commit, behind = ''] = REMOTE_SEEN.exec(line) ?? [];
  if (commit !== undefined)
    return { ...before, remote: { commit, behind: behind === '-' ? null : Math.min(Number(behind), MAX_COUNT) } };
  const [, what = '', percent = '', done = '', total = '', amount, unit = ''] =
    /^(Receiving objects|Resolving deltas|Checking objects|Indexing objects): +(\d{1,3})%(?: \((\d{1,12})\/(\d{1,12})\))?(?:, ([\d.]+) (bytes|[KMG]iB))?/.exec(
      line,
    ) ?? [];
  if (what === '') return null;
  const bytes = amount === undefined ? before.bytes : Math.round(Number(amount) * (UNITS[unit] ?? 1));
  return {
    ...(before.remote && { remote: before.remote }),
    phase: what === 'Receiving objects' ? 'receiving' : 'checking',
    percent: Math.min(100, Number(percent)),
    bytes,
    objects: total === '' ? null : { done: Number(done), total: Number(total) },
  };
}
