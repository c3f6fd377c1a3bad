import { FILE_UPLOAD_LIMIT_BYTES } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, within } from '../../../lib/http/api';
import { ApiError } from '../../../lib/http/api-error';
import { receivedFile, type ReceivedFile } from '../../../lib/http/received-file';
import { sendBody } from '../../../lib/http/send-file';
import { formatBytes } from '../../../lib/format/count';
import { saveBlob } from '../../../lib/page/save-blob';
import type { FileSource } from '../file-source';

/** As long as the server sends. */
const DOWNLOAD_MS = 60 * 60_000;

/** A file as it is, a folder or with an empty path everything as an archive, what is not committed, or all changes. */
export type WantedDownload =
  | { of: 'file'; path: string }
  | { of: 'folder'; path: string; format: 'zip' | 'tar.gz' }
  | { of: 'changes'; format: 'patch' | 'zip' }
  | { of: 'all-changes'; format: 'patch' };

type Progress = { onProgress?: (bytes: number) => void; signal?: AbortSignal };

/** A link cannot carry the access token, so it is fetched and handed over as a blob. */
async function fetchDownload(
  sessionId: string,
  wanted: WantedDownload,
  { onProgress, signal }: Progress,
): Promise<ReceivedFile> {
  const common = { parseAs: 'stream', ...within(DOWNLOAD_MS), ...(signal && { signal }) } as const;
  const path = { sessionId };
  const call =
    wanted.of === 'changes' || wanted.of === 'all-changes'
      ? api.GET('/v1/sessions/{sessionId}/diff', {
          params: {
            path,
            query: { scope: wanted.of === 'changes' ? 'uncommitted' : undefined, format: wanted.format },
          },
          ...common,
        })
      : api.GET('/v1/sessions/{sessionId}/files/download', {
          params: { path, query: { path: wanted.path, format: wanted.of === 'file' ? 'raw' : wanted.format } },
          ...common,
        });
  const { response } = await call;
  return receivedFile(response, onProgress);
}

/** Fetches and hands over to the browser's downloads. */
export function useDownload(sessionId: string) {
  return useMutation({
    mutationFn: ({ wanted, ...progress }: { wanted: WantedDownload } & Progress) =>
      fetchDownload(sessionId, wanted, progress),
    onSuccess: ({ file, name }) => saveBlob(file, name),
  });
}

/**
 * A whole picture as an address for the page. `type` says which picture it is, by its bytes: what is drawn is never a
 * document.
 */
export function wholePictureQuery({ id, revision }: FileSource, path: string, type: string) {
  return queryOptions({
    queryKey: ['whole-picture', id, path, type, revision],
    queryFn: async ({ signal }) => {
      const { file } = await fetchDownload(id, { of: 'file', path }, { signal });
      return dataUrl(new Blob([file], { type }));
    },
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** All bytes of a file, for what draws them. */
export function wholeFileQuery({ id, revision }: FileSource, path: string) {
  return queryOptions({
    queryKey: ['whole-file', id, path, revision],
    queryFn: async ({ signal }) => (await fetchDownload(id, { of: 'file', path }, { signal })).file,
    staleTime: Infinity,
    gcTime: 0,
  });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The picture could not be read.'));
    reader.readAsDataURL(blob);
  });
}

type SentFile = { path: string; file: File; replace: boolean; onProgress: (sent: number) => void; signal: AbortSignal };

/** Puts a file into the workspace. Refused with FILE_EXISTS unless it may replace what is there. */
export function useSendFile(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ path, file, replace, ...on }: SentFile) => {
      if (file.size > FILE_UPLOAD_LIMIT_BYTES)
        throw new Error(
          `${file.name} has ${formatBytes(file.size)}, and a file may have ${formatBytes(FILE_UPLOAD_LIMIT_BYTES)}. Larger ones come in with the project.`,
        );
      const url = `/v1/sessions/${encodeURIComponent(sessionId)}/files/content?path=${encodeURIComponent(path)}`;
      return sendBody({
        method: 'PUT',
        url,
        type: 'application/octet-stream',
        file,
        ...(replace && { headers: { 'if-match': '*' } }),
        ...on,
      });
    },
    onSuccess: async () => {
      const shown = ['files', 'file', 'find-files', 'whole-picture', 'whole-file'];
      await Promise.all([
        ...shown.map((key) => queries.invalidateQueries({ queryKey: [key] })),
        queries.invalidateQueries({ queryKey: ['diff', sessionId] }),
      ]);
    },
  });
}

/** Whether a file was not sent because one of its name is there. */
export function isThere(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'FILE_EXISTS';
}
