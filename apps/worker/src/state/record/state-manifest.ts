import { json } from 'node:stream/consumers';
import { ProblemError, type BlobStore } from '@chirality/platform';
import { z } from 'zod';

/**
 * One stored state of a session: which blobs it is made of. A workspace that did not change is an earlier state's blob.
 */
export const stateManifestSchema = z.object({
  format: z.literal(1),
  sessionId: z.string(),
  version: z.number().int().positive(),
  branch: z.string(),
  baseCommit: z.string(),
  claudeSessionId: z.string().nullable(),
  /** Null: nothing was said yet. */
  transcript: z.string().nullable(),
  /** Null: as at the base commit. */
  workspace: z.string().nullable(),
  /** The newest workspace was too large; `workspace` is an older one. */
  workspaceIsOlder: z.boolean(),
  /** Key of the state before this one. */
  previous: z.string().nullable(),
});
export type StateManifest = z.infer<typeof stateManifestSchema>;

/** Throws WORKSPACE_UNAVAILABLE when the manifest is not there or not one: the blob store lost something. */
export async function readManifest(blobs: BlobStore, key: string): Promise<StateManifest> {
  const blob = await blobs.get(key);
  const parsed = blob && stateManifestSchema.safeParse(await json(blob).catch(() => null));
  if (!parsed?.success)
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      "The session's stored state is missing. Restore the blob store from a backup.",
    );
  return parsed.data;
}
