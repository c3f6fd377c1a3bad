import type { ReadPersonaFile } from '@chirality/database';
import { personaKeyOf } from '@chirality/domain';
import type { ScriptRunner } from '../script/script-runner';
import { LIST_AGENTS, READ_BLOBS } from './persona-scripts';
import type { ProjectRepository } from './project.types';

const MAX_FILES = 50;
const MAX_BYTES = 64_000;
const LIST_BYTES = 512 * 1024;
const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/;

type Entry = { file: string; blob: string; refusal: string | null };

/**
 * The files `agents/AGENT_<KEY>.md` of a project's base commit, sorted by name: at most 50, of at most 64,000 bytes
 * each. Nothing is checked out and no link is followed; what cannot be taken has a refusal in place of its text.
 */
export async function readPersonaFiles(
  scripts: ScriptRunner,
  repository: ProjectRepository,
  timeoutMs: number,
): Promise<ReadPersonaFile[]> {
  const mounts = { workspace: repository.path, workspaceReadOnly: true };
  const listed = await scripts.run({
    text: LIST_AGENTS,
    args: [repository.baseCommit],
    mounts,
    timeoutMs,
    maxOutputBytes: LIST_BYTES,
  });
  const entries = entriesOf(listed.stdout);
  const wanted = entries.flatMap(({ blob, refusal }) => (refusal === null ? [blob] : []));
  if (wanted.length === 0) return entries.map(({ file, refusal }) => ({ file, text: null, refusal: refusal ?? '' }));
  const script = {
    text: READ_BLOBS,
    mounts,
    timeoutMs,
    stdin: wanted.map((blob) => `${blob}\n`).join(''),
    maxOutputBytes: MAX_FILES * (MAX_BYTES + 128),
  };
  const contents = contentsOf((await scripts.run(script)).stdout);
  return entries.map(({ file, blob, refusal }) =>
    refusal === null ? asText(file, contents.get(blob)) : { file, text: null, refusal },
  );
}

function entriesOf(listing: Buffer): Entry[] {
  const found: Entry[] = [];
  for (const line of listing.toString('utf8').split('\0')) {
    const [, mode = '', , blob = '', size = '', file = ''] = ENTRY.exec(line) ?? [];
    if (personaKeyOf(file) === null) continue;
    found.push({ file, blob, refusal: refusalOf(mode, Number(size), found.length) });
  }
  return found;
}

function refusalOf(mode: string, size: number, before: number): string | null {
  if (mode === '120000') return 'is a link, and links are not followed';
  if (!mode.startsWith('100')) return 'is no file';
  if (size > MAX_BYTES) return `is larger than ${MAX_BYTES.toLocaleString('en')} bytes`;
  return before < MAX_FILES ? null : `is one too many: a project has at most ${MAX_FILES} personas`;
}

/** The output of `git cat-file --batch`: a line `<id> blob <size>`, the content and a line end for each. */
function contentsOf(output: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (;;) {
    const end = output.indexOf('\n', at);
    if (end < 0) return contents;
    const [id = '', type = '', size = ''] = output.toString('latin1', at, end).split(' ');
    const bytes = Number(size);
    if (type !== 'blob' || !Number.isInteger(bytes) || end + 1 + bytes > output.length) return contents;
    contents.set(id, output.subarray(end + 1, end + 1 + bytes));
    at = end + 1 + bytes + 1;
  }
}

function asText(file: string, content: Buffer | undefined): ReadPersonaFile {
  if (!content) return { file, text: null, refusal: 'could not be read' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes('\0') ? { file, text: null, refusal: 'holds a NUL character' } : { file, text, refusal: null };
  } catch {
    return { file, text: null, refusal: 'is not UTF-8 text' };
  }
}
