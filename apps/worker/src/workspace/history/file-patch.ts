import type { WorkspaceReply, filePatchQuerySchema } from '@chirality/contracts';
import type { z } from 'zod';
import type { ActContext } from '../act/act-context';
import { comparisonArgs, comparisonMounts } from './diff-files';
import { FILE_PATCH } from './diff-scripts';
import { encodeText } from '../act/file-text';
import { jsonBytes, REPLY_LIMIT_BYTES } from '../act/reply-budget';
import { whileFilesMove } from '../act/while-files-move';
import { pathBytes } from '../script/path-text';
import { notFound, parseWorkspacePath } from '../act/workspace-path';

const ENVELOPE_BYTES = 1_024;

type Query = z.infer<typeof filePatchQuerySchema>;

/** As much of one file's patch as a reply holds, from `from` bytes on, to the end of a line if one ends in it. */
export async function filePatch(context: ActContext, query: Query): Promise<WorkspaceReply> {
  const paths = [query.path, ...(query.oldPath === undefined ? [] : [query.oldPath])].map(parseWorkspacePath);
  if (paths.includes('')) throw notFound();
  const args = [
    ...comparisonArgs(context, query),
    String(query.from),
    String(REPLY_LIMIT_BYTES + 1),
    ...paths.map(pathBytes),
  ];
  const { stdout } = await whileFilesMove(() =>
    context.scripts.run({
      text: FILE_PATCH,
      args,
      mounts: comparisonMounts(context),
      timeoutMs: context.timeoutMs,
      maxOutputBytes: REPLY_LIMIT_BYTES + 1,
    }),
  );
  const limitBytes = REPLY_LIMIT_BYTES - ENVELOPE_BYTES - jsonBytes(query.path);
  const { text, bytes } = encodeText(stdout, limitBytes);
  const isWhole = bytes === stdout.length;
  return { act: 'file-patch', patch: { path: query.path, patch: text, next: isWhole ? null : query.from + bytes } };
}
