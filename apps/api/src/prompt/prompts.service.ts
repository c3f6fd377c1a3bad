import { text } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import {
  promptCutSchema,
  promptSectionSchema,
  type AssembledPrompt,
  type Options,
  type PromptCut,
  type PromptSection,
  type Session,
} from '@chirality/contracts';
import { TurnRepository } from '@chirality/database';
import { PROMPT_LIMIT_CHARACTERS } from '@chirality/domain';
import { WorkspaceClient } from '@chirality/messaging';
import { BLOBS, type BlobStore } from '@chirality/platform';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { OptionChain } from '../options/option-chain.service';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';

const REPLY_LIMIT_MS = 5_000;
const keptSchema = z.object({ sections: z.array(promptSectionSchema), cuts: z.array(promptCutSchema) });

/**
 * The prompt that is appended to the program's own, before a turn and after it. Masked like events, so who reads those
 * reads it.
 */
@Injectable()
export class PromptsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly chain: OptionChain,
    private readonly turns: TurnRepository,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /**
   * What the next turn would send, by the worker that has the files: the same parts in the same order, cut the same
   * way.
   */
  async next(who: Principal, sessionId: string): Promise<AssembledPrompt> {
    return this.assemble(await this.sessions.forReading(who, sessionId), {});
  }

  /** The same with the turn's options, for a user who may send it. */
  async nextWith(who: Principal, sessionId: string, asked: Options): Promise<AssembledPrompt> {
    return this.assemble(await this.sessions.forActing(who, sessionId), asked);
  }

  /** What a turn did send; NOT_FOUND while it has not been prepared. */
  async ofTurn(who: Principal, sessionId: string, turnId: string): Promise<AssembledPrompt> {
    const session = await this.sessions.forReading(who, sessionId);
    const turn = await this.turns.find(session.id, knownId('turn', turnId));
    if (!turn) throw problems.notFound('turn');
    const blob = await this.blobs.get(`turns/${turn.id}/prompt.json`);
    const kept = blob && keptPrompt(await text(blob));
    if (!kept) throw problems.notFound('prompt of this turn');
    return { ...assembled(kept), options: turn.options, persona: turn.persona };
  }

  private async assemble(session: Session, asked: Options): Promise<AssembledPrompt> {
    const { options, persona } = await this.chain.resolve(session, asked);
    const addition = options.appendPrompt?.value ?? null;
    const reply = await askWorkspace(
      this,
      { act: 'assemble-prompt', sessionId: session.id, mode: session.mode, persona, addition },
      REPLY_LIMIT_MS,
    );
    return { ...assembled(reply), options, persona };
  }
}

/**
 * Null for what is not whole: prompts are kept without being flushed, so a crash of the machine may have left a part.
 */
export function keptPrompt(content: string): z.infer<typeof keptSchema> | null {
  try {
    return keptSchema.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

function assembled({
  sections,
  cuts,
}: {
  sections: PromptSection[];
  cuts: PromptCut[];
}): Pick<AssembledPrompt, 'text' | 'sections' | 'cuts' | 'limitCharacters'> {
  return {
    text: sections.map((section) => section.text).join('\n\n'),
    sections,
    cuts,
    limitCharacters: PROMPT_LIMIT_CHARACTERS,
  };
}
