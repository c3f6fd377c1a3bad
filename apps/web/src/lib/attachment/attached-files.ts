import { MAX_ATTACHMENTS, type Attachment } from '@chirality/contracts';
import { Observable } from '../state/observable';
import { chosenItems, problemOf, sizeProblem, UnreadablePictureError, type AttachedFile } from './attached-file';
import type { KeyValueStore } from '../state/storage';

export type AttachedFilesParts = {
  store: KeyValueStore;
  storeKey: string;
  /** Makes a picture small enough for the model, and removes what a camera wrote into it. */
  prepare(file: File): Promise<File>;
  upload(file: File, options: { onProgress: (sent: number) => void; signal: AbortSignal }): Promise<Attachment>;
  /** Forgets one that the server has and no message will need. */
  remove(attachment: Attachment): Promise<void>;
};

/**
 * The files of the message field in one session. They are uploaded when they are chosen; those that arrived are kept
 * over reloads and shared by the tabs of this browser. They stay until they are removed or sent.
 */
export class AttachedFiles {
  readonly items: Observable<readonly AttachedFile[]>;
  private readonly uploads = new Map<string, AbortController>();

  constructor(private readonly parts: AttachedFilesParts) {
    this.items = new Observable(this.stored());
  }

  add(files: readonly File[]): void {
    const { taken, refused } = chosenItems(files, this.items.get().length);
    this.items.set([...this.items.get(), ...taken, ...refused]);
    for (const item of taken) void this.send(item.key);
  }

  retry(key: string): void {
    if (this.items.get().length > MAX_ATTACHMENTS) return;
    this.change(key, { status: 'sending', sentBytes: 0, problem: null });
    void this.send(key);
  }

  remove(key: string): void {
    const item = this.find(key);
    if (item === undefined) return;
    this.uploads.get(key)?.abort();
    this.set(this.items.get().filter((other) => other.key !== key));
    // What cannot be removed now is cleaned up by the server.
    if (item.attachment !== null) void this.parts.remove(item.attachment).catch(() => undefined);
  }

  /** They go with a message that is being sent. */
  take(): Attachment[] {
    const taken = this.items.get().flatMap(({ attachment }) => attachment ?? []);
    this.set([]);
    return taken;
  }

  /** Those of a message that is written again. */
  giveBack(attachments: readonly Attachment[]): void {
    const known = new Set(this.items.get().map(({ attachment }) => attachment?.id));
    this.set([...attachments.filter(({ id }) => !known.has(id)).map(readyItem), ...this.items.get()]);
  }

  /** Another tab changed what is kept. */
  reread(): void {
    const here = this.items.get();
    const kept = this.stored().map((item) => here.find(({ attachment }) => attachment?.id === item.key) ?? item);
    this.items.set([...kept, ...here.filter(({ attachment }) => attachment === null)]);
  }

  get isUploading(): boolean {
    return this.items.get().some(({ status }) => status === 'sending');
  }

  get storeKey(): string {
    return this.parts.storeKey;
  }

  private async send(key: string): Promise<void> {
    const chosen = this.find(key)?.file ?? null;
    if (chosen === null) return;
    const abort = new AbortController();
    this.uploads.set(key, abort);
    try {
      const file = await this.parts.prepare(chosen);
      if (abort.signal.aborted) return;
      this.change(key, { name: file.name, bytes: file.size });
      const problem = sizeProblem(file);
      if (problem !== null) return void this.change(key, { status: 'failed', problem, file: null });
      const attachment = await this.parts.upload(file, {
        onProgress: (sentBytes) => this.change(key, { sentBytes }),
        signal: abort.signal,
      });
      const isWanted = this.change(key, { ...readyItem(attachment), key, file });
      if (isWanted) this.store();
      else void this.parts.remove(attachment).catch(() => undefined);
    } catch (error) {
      const isHopeless = error instanceof UnreadablePictureError;
      this.change(key, { status: 'failed', problem: problemOf(error), ...(isHopeless && { file: null }) });
    } finally {
      this.uploads.delete(key);
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

  private set(items: readonly AttachedFile[]): void {
    this.items.set(items);
    this.store();
  }

  private store(): void {
    const ready = this.items.get().flatMap(({ attachment }) => attachment ?? []);
    if (ready.length === 0) this.parts.store.remove(this.parts.storeKey);
    else this.parts.store.set(this.parts.storeKey, JSON.stringify(ready));
  }

  private stored(): AttachedFile[] {
    try {
      const kept = JSON.parse(this.parts.store.get(this.parts.storeKey) ?? '[]') as Attachment[];
      return kept.filter(({ id, name }) => typeof id === 'string' && typeof name === 'string').map(readyItem);
    } catch {
      return [];
    }
  }
}

function readyItem(attachment: Attachment): AttachedFile {
  const { id, name, bytes } = attachment;
  return { key: id, name, bytes, status: 'ready', sentBytes: bytes, problem: null, attachment, file: null };
}
