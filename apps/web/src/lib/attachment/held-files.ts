import type { Attachment } from '@chirality/contracts';
import { ApiError } from '../http/api-error';
import { Observable } from '../state/observable';
import {
  chosenItems,
  problemOf,
  readyFile,
  sizeProblem,
  UnreadablePictureError,
  type AttachedFile,
} from './attached-file';
import type { AttachedFilesParts } from './attached-files';
import type { FileStore } from './file-store';

type Parts = Pick<AttachedFilesParts, 'prepare'> & {
  store: FileStore;
  /** Of one person and one field. */
  place: string;
  now(): number;
  upload(
    sessionId: string,
    file: File,
    options: { onProgress: (sent: number) => void; signal: AbortSignal },
  ): Promise<Attachment>;
};

/**
 * The files of a message that starts a session. Until there is one they stay in this browser, also over reloads; then
 * they are uploaded into it. What did not arrive is still here afterwards.
 */
export class HeldFiles {
  readonly items = new Observable<readonly AttachedFile[]>([]);
  private readonly uploads = new Map<string, AbortController>();
  private readonly unkept = new Set<string>();
  private chosenAtMs = 0;
  /** What a session has of them already, so that a second attempt sends the rest alone. */
  private arrived: { sessionId: string; byKey: Map<string, Attachment> } | null = null;

  constructor(private readonly parts: Parts) {
    void this.restore();
  }

  add(files: readonly File[]): void {
    const { taken, refused } = chosenItems(files, this.items.get().length);
    this.items.set([...this.items.get(), ...taken, ...refused]);
    for (const { key } of taken) void this.prepare(key, this.nextPlace());
  }

  retry(key: string): void {
    this.change(key, { status: 'ready', problem: null });
  }

  remove(key: string): void {
    this.uploads.get(key)?.abort();
    this.forget(new Set([key]));
  }

  /**
   * Uploads all into the session. Throws where some did not arrive: those that another attempt may help are then as
   * before, and the others say what to do.
   */
  async sendTo(sessionId: string): Promise<{ keys: string[]; attachments: Attachment[] }> {
    if (this.arrived?.sessionId !== sessionId) this.arrived = { sessionId, byKey: new Map() };
    const { byKey } = this.arrived;
    const keys = this.items.get().flatMap(({ key, status }) => (status === 'ready' ? key : []));
    const outcomes = await Promise.allSettled(
      keys.map(async (key) => {
        if (!byKey.has(key)) await this.upload(sessionId, key, byKey);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    // One that was removed meanwhile does not go.
    const left = keys.filter((key) => this.find(key) !== undefined);
    return { keys: left, attachments: left.flatMap((key) => byKey.get(key) ?? []) };
  }

  /** They went with their message. */
  sent(keys: readonly string[]): void {
    this.arrived = null;
    this.forget(new Set(keys));
  }

  /** The next session gets all of them again. */
  sessionGone(): void {
    this.arrived = null;
  }

  /** A reload would lose some of them, or end what is being sent. */
  get wouldBeLost(): boolean {
    return this.unkept.size > 0 || this.uploads.size > 0;
  }

  /** They are kept in the order in which they were chosen. */
  private nextPlace(): number {
    return (this.chosenAtMs = Math.max(this.parts.now(), this.chosenAtMs + 1));
  }

  private async prepare(key: string, atMs: number): Promise<void> {
    const chosen = this.find(key)?.file ?? null;
    if (chosen === null) return;
    let unreadable: string | null = null;
    const file = await this.parts.prepare(chosen).catch((error: unknown) => {
      if (error instanceof UnreadablePictureError) unreadable = error.message;
      return chosen;
    });
    const problem = unreadable ?? sizeProblem(file);
    const facts = { name: file.name || 'file', bytes: file.size };
    if (problem !== null) return void this.change(key, { ...facts, status: 'failed', problem, file: null });
    if (!this.change(key, { ...facts, file, status: 'ready' })) return;
    const isKept = await this.parts.store.put({ key, place: this.parts.place, file, atMs });
    if (this.find(key) === undefined) await this.parts.store.remove(key);
    else if (!isKept) this.unkept.add(key);
  }

  private async upload(sessionId: string, key: string, byKey: Map<string, Attachment>): Promise<void> {
    const file = this.find(key)?.file ?? null;
    if (file === null) return;
    const abort = new AbortController();
    this.uploads.set(key, abort);
    this.change(key, { status: 'sending', sentBytes: 0 });
    try {
      const attachment = await this.parts.upload(sessionId, file, {
        onProgress: (sentBytes) => this.change(key, { sentBytes }),
        signal: abort.signal,
      });
      byKey.set(key, attachment);
      this.change(key, { status: 'ready' });
    } catch (error) {
      if (abort.signal.aborted) return;
      const isPassing = error instanceof ApiError && error.isPassing;
      this.change(key, isPassing ? { status: 'ready' } : { status: 'failed', problem: problemOf(error) });
      throw error;
    } finally {
      this.uploads.delete(key);
    }
  }

  private async restore(): Promise<void> {
    const stored = await this.parts.store.of(this.parts.place);
    const here = this.items.get();
    const kept = stored.filter(({ key }) => !here.some((item) => item.key === key));
    this.items.set([...kept.map(({ key, file }) => readyFile(key, file)), ...here]);
  }

  private forget(keys: ReadonlySet<string>): void {
    this.items.set(this.items.get().filter(({ key }) => !keys.has(key)));
    for (const key of keys) {
      this.unkept.delete(key);
      void this.parts.store.remove(key);
    }
  }

  private find(key: string): AttachedFile | undefined {
    return this.items.get().find((item) => item.key === key);
  }

  /** False where it was removed meanwhile. */
  private change(key: string, changes: Partial<AttachedFile>): boolean {
    const isThere = this.find(key) !== undefined;
    if (isThere) this.items.set(this.items.get().map((item) => (item.key === key ? { ...item, ...changes } : item)));
    return isThere;
  }
}
