import type { Attachment } from '@chirality/contracts';
import { attachmentsInBlocks, type SentAttachment } from '@chirality/domain';

/** How the model gets what a message brings, and what the session's sandbox has to show. */
interface AttachmentPlan {
  /** In the message itself. */
  blocks: Attachment[];
  /** Read-only files that came with this message. */
  files: Attachment[];
  /** All files of the session: earlier ones may be spoken of again. */
  onDisk: Attachment[];
}

/** `sent`: everything that was sent in the session, this message's last. */
export function planAttachments(sent: readonly SentAttachment[], turnId: string): AttachmentPlan {
  const inBlocks = attachmentsInBlocks(sent);
  const own = sent.filter((one) => one.turnId === turnId);
  const files = sent.filter((one) => !inBlocks.has(one));
  return {
    blocks: own.filter((one) => inBlocks.has(one)).map(({ attachment }) => attachment),
    files: own.filter((one) => !inBlocks.has(one)).map(({ attachment }) => attachment),
    onDisk: [...new Map(files.map(({ attachment }) => [attachment.id, attachment])).values()],
  };
}

/** What the message says of them, before the person's words; null where it brings none. */
export function attachmentNote({ blocks, files }: AttachmentPlan, directory: string): string | null {
  const shown = blocks.map(
    ({ name, kind }) => `${JSON.stringify(name)} (${kind === 'image' ? 'picture' : 'document'})`,
  );
  const paths = files.map(({ name, mediaType, bytes }) => `- ${directory}/${name} (${mediaType}, ${bytes} bytes)`);
  if (shown.length + paths.length === 0) return null;
  return [
    'Note from the service: the person attached files to this message.',
    ...(shown.length === 0 ? [] : [`In the message, in this order: ${shown.join(', ')}.`]),
    ...(paths.length === 0 ? [] : ['To be read with tools; they cannot be changed there:', ...paths]),
  ].join('\n');
}
