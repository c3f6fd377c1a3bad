import type { EventPayload } from '@chirality/contracts';
import { headOf, maskText, type MaskPattern } from '@chirality/domain';
import type { FileChanges } from '../workspace/snapshot/file-changes';
import type { Ending } from './turn-ending';

const PATCH_CHARS = 32_000;

/**
 * What people read of a turn's changes. A turn that was cut off also says how long it ran and shows the diff, because
 * its answer does not say what it had done by then; masked before it is cut, for half a secret is not known as one.
 */
export function changesNotice(
  changes: FileChanges,
  ending: Ending,
  ranMs: number,
  masks?: readonly MaskPattern[],
): EventPayload<'turn:notice'> {
  const { fileCount, additions, deletions } = changes;
  const files = changes.files.map(({ path, status, additions: added, deletions: deleted }) => ({
    path,
    status,
    additions: added,
    deletions: deleted,
  }));
  const least = changes.atLeast ? 'at least ' : '';
  const counted = `${least}${fileCount === 1 ? '1 file' : `${fileCount} files`} changed, +${additions} −${deletions}`;
  const common = {
    code: 'FILES_CHANGED',
    files,
    fileCount,
    additions,
    deletions,
    atLeast: changes.atLeast,
    truncated: changes.truncated,
  };
  if (ending.cause === 'succeed') return { level: 'info', text: `${sentence(counted)}.`, ...common };
  const seconds = (ranMs / 1_000).toFixed(ranMs < 10_000 ? 1 : 0);
  return {
    level: 'warning',
    text: `The turn was cut off after ${seconds} s. ${sentence(counted)}.`,
    ...common,
    ranMs,
    patch: headOf(maskText(changes.patch, masks), PATCH_CHARS),
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
