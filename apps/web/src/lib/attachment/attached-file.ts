import {
  ATTACHMENT_LIMIT_BYTES,
  ATTACHMENTS_LIMIT_BYTES,
  MAX_ATTACHMENTS,
  type Attachment,
} from '@chirality/contracts';
import { formatBytes } from '../format/count';
import { ApiError, messageOf } from '../http/api-error';
import { randomId } from '../state/random-id';

/** A file of a message that is being written. */
export type AttachedFile = {
  key: string;
  name: string;
  bytes: number;
  status: 'sending' | 'ready' | 'failed';
  /** Of its bytes, as far as it is on its way. */
  sentBytes: number;
  /** What to do about one that failed. */
  problem: string | null;
  /** As the server has it; null before, also of one that is ready and waits for its session. */
  attachment: Attachment | null;
  /** As it was chosen here; null after a reload, and where trying again is no use. */
  file: File | null;
};

/** A picture that cannot be drawn again here, and would take along what its camera wrote into it. */
export class UnreadablePictureError extends Error {
  constructor() {
    super(
      'This browser cannot read HEIC pictures, so the place in it cannot be removed. Save it as JPEG or PNG and attach that, or set the camera to “Most compatible”.',
    );
  }
}

const TOO_LARGE = `A file may have at most ${formatBytes(ATTACHMENT_LIMIT_BYTES)}. Make it smaller, or add it to the project’s files.`;

/** Those that are chosen and fit into a message that has so many, and one in place of all that do not. */
export function chosenItems(files: readonly File[], count: number): { taken: AttachedFile[]; refused: AttachedFile[] } {
  const room = Math.max(0, MAX_ATTACHMENTS - count);
  const refused = files.slice(room, room + 1).map((file) => ({
    ...itemOf(file),
    status: 'failed' as const,
    problem: `A message takes at most ${MAX_ATTACHMENTS} files. Remove this one, and send it with the next message.`,
  }));
  return { taken: files.slice(0, room).map(itemOf), refused };
}

/** Why a message with these files cannot be sent now; null where it can. */
export function attachedProblem(items: readonly AttachedFile[]): string | null {
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  if (items.some(({ status }) => status === 'failed'))
    return 'Remove the files that could not be attached, or try again.';
  return bytes > ATTACHMENTS_LIMIT_BYTES
    ? `The files of a message may have ${formatBytes(ATTACHMENTS_LIMIT_BYTES)} in total, and these have ${formatBytes(bytes)}. Remove some, and send them with the next message.`
    : null;
}

/** Why this file alone cannot be attached; null where it can. */
export function sizeProblem({ size }: File): string | null {
  if (size === 0) return 'This file is empty. Remove it, and choose another one.';
  return size > ATTACHMENT_LIMIT_BYTES ? TOO_LARGE : null;
}

function itemOf(file: File): AttachedFile {
  return {
    key: randomId(),
    name: file.name || 'file',
    bytes: file.size,
    status: 'sending',
    sentBytes: 0,
    problem: null,
    attachment: null,
    file,
  };
}

/** One that waits in this browser for the session that it goes to. */
export function readyFile(key: string, file: File): AttachedFile {
  return { ...itemOf(file), key, status: 'ready' };
}

/** What to do about an upload that failed. */
export function problemOf(error: unknown): string {
  if (error instanceof UnreadablePictureError) return error.message;
  if (error instanceof ApiError && error.code === 'NETWORK')
    return 'The file did not arrive: the server cannot be reached. Try again.';
  return messageOf(error);
}
