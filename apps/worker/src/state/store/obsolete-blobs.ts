import { fencePrefixOf } from '../record/state-key';
import type { StateManifest } from '../record/state-manifest';

export type StoredState = { key: string; manifest: StateManifest };

/**
 * What to delete of a state that is not kept, as prefixes of blob keys: what none of the kept states names, the
 * manifest last; the whole prefix of its attempt when nothing kept lies under it.
 */
export function obsoleteBlobs(old: StoredState, kept: readonly StoredState[]): string[] {
  const needed = kept.flatMap(blobsOf);
  const prefix = fencePrefixOf(old.key);
  const apart = blobsOf(old).filter((key) => !needed.includes(key) && !key.startsWith(`${prefix}/`));
  if (!needed.some((key) => key.startsWith(`${prefix}/`))) return [...apart, prefix];
  return blobsOf(old).filter((key) => !needed.includes(key));
}

function blobsOf({ key, manifest }: StoredState): string[] {
  return [manifest.transcript, manifest.workspace, key].filter((blob) => blob !== null);
}
