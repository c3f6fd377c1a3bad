import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Attachment } from '@chirality/contracts';
import type { AttachmentRepository, ClaimedTurn } from '@chirality/database';
import { attachmentKey } from '@chirality/domain';
import { ProblemError, type BlobStore } from '@chirality/platform';
import type { MessageBlock } from '../harness/harness';
import type { Sandbox } from '../sandbox/sandbox';
import { attachmentNote, planAttachments } from './attachment-plan';

interface Delivered {
  /** For the model, before the person's words. */
  note: string | null;
  blocks: MessageBlock[];
}

const NOTHING: Delivered = { note: null, blocks: [] };

/**
 * Brings what was attached to where the program finds it: pictures and documents into the message, everything else as
 * read-only files into a directory of the session, which its processes see whenever they were started.
 */
export class AttachmentDelivery {
  constructor(
    private readonly attachments: Pick<AttachmentRepository, 'listSent'>,
    private readonly blobs: Pick<BlobStore, 'get'>,
    private readonly sandbox: Pick<Sandbox, 'attachmentsInside'>,
  ) {}

  /** `aside`: on the same disk, seen by no sandbox. Throws WORKSPACE_UNAVAILABLE where a file cannot be read. */
  async deliver(
    { id, sessionId, hasAttachments }: Pick<ClaimedTurn, 'id' | 'sessionId' | 'hasAttachments'>,
    { attachments: directory, tmp: aside }: { attachments: string; tmp: string },
  ): Promise<Delivered> {
    if (!hasAttachments) return NOTHING;
    const plan = planAttachments(await this.attachments.listSent(sessionId, id), id);
    for (const file of plan.onDisk) await this.place(sessionId, file, directory, aside);
    const blocks: MessageBlock[] = [];
    for (const attachment of plan.blocks) {
      const { kind, mediaType, name } = attachment;
      const data = await buffer(await this.open(sessionId, attachment));
      blocks.push({ type: kind === 'image' ? 'image' : 'document', mediaType, name, data });
    }
    return { note: attachmentNote(plan, this.sandbox.attachmentsInside(directory)), blocks };
  }

  private async place(sessionId: string, attachment: Attachment, directory: string, aside: string): Promise<void> {
    const { name, bytes } = attachment;
    if (basename(name) !== name) throw new Error(`attachment ${attachment.id} has a name that is a path`);
    const path = join(directory, name);
    if (await isThere(path, bytes)) return;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const unfinished = join(aside, `attachment-${randomBytes(8).toString('hex')}`);
    try {
      const content = await this.open(sessionId, attachment);
      await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o444 }));
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  private async open(sessionId: string, { id, name }: Attachment): Promise<Readable> {
    const content = await this.blobs.get(attachmentKey(sessionId, id));
    if (content) return content;
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      `The attached file “${name}” is missing on the server. Attach it again, or contact the operator.`,
    );
  }
}

async function isThere(path: string, bytes: number): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && found.size === bytes,
    () => false,
  );
}
