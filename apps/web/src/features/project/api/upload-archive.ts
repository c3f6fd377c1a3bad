import type { Project } from '@chirality/contracts';
import { sendFile } from '../../../lib/http/send-file';

export function uploadArchive(
  projectId: string,
  archive: File,
  on: { onProgress: (sent: number) => void; signal: AbortSignal },
): Promise<Project> {
  return sendFile(`/v1/projects/${projectId}/upload`, archive, on);
}
