import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** 10 MB a file, this many older ones beside it (`name.log.1` is the youngest). */
const MAX_BYTES = 10_000_000;
const KEPT_FILES = 4;

/**
 * A log file that is renamed away when full. Several processes may share it: each line is appended whole, and who
 * finds the file already renamed by another only opens the new one. Writing never throws: a full disk or a vanished
 * directory costs log lines, not the service (standard output still has them).
 */
export class RotatingFile {
  private fd: number | null = null;
  private bytes = 0;

  constructor(
    private readonly path: string,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  write(line: string): void {
    try {
      const length = Buffer.byteLength(line);
      if (this.fd !== null && this.bytes + length > this.maxBytes) this.rotate();
      this.fd ??= this.open();
      writeSync(this.fd, line);
      this.bytes += length;
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.fd === null) return;
    const fd = this.fd;
    this.fd = null;
    try {
      closeSync(fd);
    } catch {
      // Already closed by the system; there is nothing left to release.
    }
  }

  private open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const fd = openSync(this.path, 'a', 0o600);
    this.bytes = fstatSync(fd).size;
    return fd;
  }

  private rotate(): void {
    const mine = this.fd === null ? null : fstatSync(this.fd).ino;
    this.close();
    if (statSync(this.path, { throwIfNoEntry: false })?.ino !== mine) return;
    rmSync(`${this.path}.${KEPT_FILES}`, { force: true });
    for (let older = KEPT_FILES - 1; older >= 1; older -= 1)
      renameIfThere(`${this.path}.${older}`, `${this.path}.${older + 1}`);
    renameIfThere(this.path, `${this.path}.1`);
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
