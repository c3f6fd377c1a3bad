import { Injectable } from '@nestjs/common';
import { workspaceLimitMs, type DiffComment, type WorkspaceJob } from '@chirality/contracts';
import { maskText, parseUnifiedDiff } from '@chirality/domain';
import { WorkspaceClient } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';

type Place = Pick<DiffComment, 'path' | 'side' | 'line' | 'endLine' | 'commit'>;
type Lines = ReadonlyMap<number, string>;

const REPLY_GRACE_MS = 2_000;
/** A patch comes in parts of 256 KiB: a comment is on what a person can look at. */
const MAX_PARTS = 16;
const MAX_CODE_CHARS = 20_000;
/** Files that are looked into for one list of comments. */
const MAX_FILES = 20;

/** The lines of changes that comments are about, as the session's workspace has them now. */
@Injectable()
export class CommentedCode {
  constructor(
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
  ) {}

  /** Masked, as everything that is kept. Throws VALIDATION_FAILED for lines that are not there. */
  async read(sessionId: string, place: Place): Promise<string> {
    const code = codeAt(await this.lines(sessionId, place), place);
    if (code !== null) return code;
    throw new ProblemError(
      'VALIDATION_FAILED',
      'These lines are not in the file or its changes now. Reload the changes, and comment on what is there.',
    );
  }

  /** The comments, each with whether its lines are others now. Never rejects. */
  async withState<C extends Place & Pick<DiffComment, 'code'>>(
    sessionId: string,
    comments: readonly C[],
  ): Promise<(C & Pick<DiffComment, 'outdated'>)[]> {
    const keyOf = ({ path, side, commit }: Place) => JSON.stringify([path, side, commit]);
    const places = new Map(comments.filter(({ commit }) => commit === undefined).map((one) => [keyOf(one), one]));
    const found = new Map<string, Lines | null>();
    await Promise.all(
      [...places].slice(0, MAX_FILES).map(async ([key, place]) =>
        found.set(
          key,
          await this.lines(sessionId, place).catch((error: unknown) => {
            // A file that is gone has none of the lines; otherwise nothing is known.
            const isGone = error instanceof ProblemError && error.code === 'NOT_FOUND';
            return isGone ? new Map<number, string>() : null;
          }),
        ),
      ),
    );
    return comments.map((comment) => {
      // What a commit changed stays as it is.
      if (comment.commit !== undefined) return { ...comment, outdated: false };
      const lines = found.get(keyOf(comment)) ?? null;
      return { ...comment, outdated: lines === null ? null : codeAt(lines, comment) !== comment.code };
    });
  }

  /** By their numbers. What is there now is in the file, and the rest in the patch. */
  private async lines(sessionId: string, { path, side, commit }: Place): Promise<Lines> {
    if (side === 'new' && commit === undefined) {
      const { file } = await this.ask({ act: 'read-file', sessionId, path });
      if (file.encoding === 'utf8' && !file.truncated)
        return new Map(file.content.split('\n').map((text, index) => [index + 1, text]));
    }
    const hunks = parseUnifiedDiff(await this.patch(sessionId, path, commit)).flatMap((one) => one.hunks);
    return new Map(
      hunks
        .flatMap((hunk) => hunk.lines)
        .flatMap(({ oldLine, newLine, text }) => {
          const number = side === 'old' ? oldLine : newLine;
          return number === null ? [] : [[number, text] as const];
        }),
    );
  }

  private async patch(sessionId: string, path: string, commit: string | undefined): Promise<string> {
    let patch = '';
    let from: number | null = 0;
    for (let part = 0; from !== null && part < MAX_PARTS; part++) {
      const scope =
        commit === undefined ? ({ scope: 'uncommitted' } as const) : ({ scope: 'session', commit } as const);
      const reply: { patch: { patch: string; next: number | null } } = await this.ask({
        act: 'file-patch',
        sessionId,
        query: { ...scope, path, from },
      });
      patch += reply.patch.patch;
      from = reply.patch.next;
    }
    return patch;
  }

  private ask<J extends Extract<WorkspaceJob, { sessionId: string }>>(job: J) {
    return askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
  }
}

/** Null where one of the lines is not there. */
function codeAt(lines: Lines, { line, endLine = line }: Place): string | null {
  const texts: string[] = [];
  for (let number = line; number <= endLine; number++) {
    const text = lines.get(number);
    if (text === undefined) return null;
    texts.push(text.endsWith('\r') ? text.slice(0, -1) : text);
  }
  return maskText(texts.join('\n').replaceAll('\0', '␀')).slice(0, MAX_CODE_CHARS).toWellFormed();
}
