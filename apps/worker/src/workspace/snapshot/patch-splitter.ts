import { quoteGitPath } from '@chirality/domain';
import { patchText } from '../script/path-text';

type Listed = { path: string; oldPath?: string | undefined };
type Limits = { patchBytes: number; filePatchBytes: number };

const HEADER = 'diff --git ';
const NEXT_HEADER = Buffer.from(`\n${HEADER}`);
const NOTHING = Buffer.alloc(0);

/**
 * Splits the patch that git prints into its files while it arrives. Keeps the patches that are small, measures the
 * others, and has seen enough once the last of the files that are asked for has been passed.
 */
export class PatchSplitter {
  private readonly expected: Map<string, string>;
  private readonly sizes = new Map<string, { bytes: number; shown: boolean }>();
  private readonly shown: string[] = [];
  private carry: Buffer = NOTHING;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private bytes = 0;
  private room: number;
  private passed = 0;
  private hasBegun = false;

  constructor(
    files: readonly Listed[],
    private readonly limits: Limits,
  ) {
    this.expected = new Map(files.map(({ path, oldPath }) => [headerOf(oldPath ?? path, path), path]));
    this.room = limits.patchBytes;
  }

  push(chunk: Buffer): boolean {
    if (this.expected.size === 0) return true;
    const bytes = this.carry.length > 0 ? Buffer.concat([this.carry, chunk]) : chunk;
    let from = 0;
    for (let header = bytes.indexOf(NEXT_HEADER); header >= 0; header = bytes.indexOf(NEXT_HEADER, header + 1)) {
      this.keep(bytes.subarray(from, header + 1));
      from = header + 1;
      this.close();
      if (this.passed >= this.expected.size) return true;
    }
    // A header may begin at the end of this chunk.
    const end = Math.max(from, bytes.length - NEXT_HEADER.length);
    this.keep(bytes.subarray(from, end));
    this.carry = Buffer.from(bytes.subarray(end));
    return false;
  }

  end(): void {
    this.keep(this.carry);
    this.carry = NOTHING;
    this.close();
  }

  take(): { text: string; sizes: ReadonlyMap<string, { bytes: number; shown: boolean }> } {
    return { text: this.shown.join(''), sizes: this.sizes };
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.hasBegun = true;
    this.bytes += part.length;
    if (this.keptBytes > this.limits.filePatchBytes) return;
    const kept = part.subarray(0, this.limits.filePatchBytes + 1 - this.keptBytes);
    this.keptBytes += kept.length;
    this.kept.push(Buffer.from(kept));
  }

  /** What was kept is one file's patch; a change of a file's type is two of them under one name. */
  private close(): void {
    if (!this.hasBegun) return;
    const text = patchText(Buffer.concat(this.kept));
    const path = this.expected.get(text.slice(0, text.indexOf('\n')));
    if (path !== undefined) {
      const before = this.sizes.get(path);
      const cost = Buffer.byteLength(JSON.stringify(text));
      const shown = this.bytes <= this.limits.filePatchBytes && cost <= this.room && before?.shown !== false;
      if (shown) {
        this.shown.push(text);
        this.room -= cost;
      }
      if (!before) this.passed += 1;
      this.sizes.set(path, { bytes: this.bytes + (before?.bytes ?? 0), shown });
    }
    this.kept = [];
    this.keptBytes = 0;
    this.bytes = 0;
    this.hasBegun = false;
  }
}

function headerOf(oldPath: string, path: string): string {
  return `${HEADER}${quoteGitPath(`a/${oldPath}`)} ${quoteGitPath(`b/${path}`)}`;
}
