import type { Readable } from 'node:stream';
import { PACK, PACK_LIMIT_BYTES } from '../../workspace/script/archive-script';
import type { ScriptRunner } from '../../workspace/script/script-runner';

const TIMEOUT_MS = 120_000;

/**
 * Packs what `$C` holds of one conversation: transcript, sub-agents, large outputs and task list are all named by its
 * id, plans are not. Other directories may hold code under the same name, which must not come with it. Argument: the
 * conversation's id.
 */
const PACK_TRANSCRIPT =
  PACK +
  String.raw`
make_scratch
cd "$C"
for place in projects tasks todos file-history; do
  if [ -d "$place" ] && [ ! -L "$place" ]; then find "./$place" -mindepth 1 -maxdepth 2 -name "$1*" -prune -print0; fi
done > "$scratch/list"
if [ -d plans ] && [ ! -L plans ]; then printf './plans\0' >> "$scratch/list"; fi
pack "$scratch/list" "$2" "$C"
`;

const RESTORE_TRANSCRIPT = String.raw`
tar -xzf - -C "$C"
`;

/** Moves the program's own record of a conversation between a session's configuration directory and a blob. */
export class TranscriptArchive {
  constructor(private readonly scripts: ScriptRunner) {}

  /**
   * Hands what belongs to the conversation to `consume`. A process may be writing: a last line that is cut does no
   * harm.
   */
  async pack<T>(
    directories: { workspace: string; config: string },
    claudeSessionId: string,
    consume: (packed: Readable) => Promise<T>,
  ): Promise<T> {
    // It becomes a pattern of find(1), and it came from a process in the sandbox.
    if (!/^[A-Za-z0-9-]{1,100}$/.test(claudeSessionId)) throw new Error('not the id of a conversation');
    const mounts = {
      workspace: directories.workspace,
      workspaceReadOnly: true,
      config: directories.config,
      configReadOnly: true,
    };
    return this.scripts.collect(
      { text: PACK_TRANSCRIPT, args: [claudeSessionId, String(PACK_LIMIT_BYTES)], mounts, timeoutMs: TIMEOUT_MS },
      consume,
    );
  }

  async restore(directories: { workspace: string; config: string }, packed: Readable): Promise<void> {
    const mounts = { workspace: directories.workspace, workspaceReadOnly: true, config: directories.config };
    await this.scripts.feed({ text: RESTORE_TRANSCRIPT, mounts, timeoutMs: TIMEOUT_MS }, packed);
  }
}
