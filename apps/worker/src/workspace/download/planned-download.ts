import type { WantedDownload } from '@chirality/contracts';
import type { ActContext } from '../act/act-context';
import { parseWorkspacePath } from '../act/workspace-path';
import { parseFilePath } from '../browse/read-file';
import { comparisonArgs, comparisonMounts } from '../history/diff-files';
import { pathBytes } from '../script/path-text';
import type { Script } from '../script/script-runner';
import { DOWNLOAD_CHANGES, DOWNLOAD_DIRECTORY, DOWNLOAD_FILE, DOWNLOAD_PATCH } from './download-scripts';

export interface PlannedDownload {
  script: Omit<Script, 'timeoutMs'>;
  /** What the script prints is a tar archive, and wanted is a zip archive of the same. */
  packAsZip: boolean;
}

/** The script that prints what is wanted. Throws as `parseWorkspacePath` and `comparisonArgs` do. */
export function plannedDownload(context: ActContext, wanted: WantedDownload, limitBytes: number): PlannedDownload {
  const packAsZip = 'archive' in wanted && wanted.archive === 'zip';
  const most = String(limitBytes);
  const files = { workspace: context.workspace.workspace, workspaceReadOnly: true };
  switch (wanted.form) {
    case 'file':
      return {
        script: { text: DOWNLOAD_FILE, args: [pathBytes(parseFilePath(wanted.path)), most], mounts: files },
        packAsZip,
      };
    case 'directory': {
      const args = [pathBytes(parseWorkspacePath(wanted.path)), formOf(wanted), most];
      return { script: { text: DOWNLOAD_DIRECTORY, args, mounts: files }, packAsZip };
    }
    case 'patch': {
      const args = comparisonArgs(context, wanted.query);
      return { script: { text: DOWNLOAD_PATCH, args, mounts: comparisonMounts(context) }, packAsZip };
    }
    case 'changes': {
      const args = [...comparisonArgs(context, { ...wanted.query, commit: undefined }), formOf(wanted), most];
      return { script: { text: DOWNLOAD_CHANGES, args, mounts: comparisonMounts(context) }, packAsZip };
    }
  }
}

function formOf({ archive }: { archive: 'zip' | 'tar.gz' }): string {
  return archive === 'zip' ? 'tar' : archive;
}
