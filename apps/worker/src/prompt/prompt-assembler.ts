import type { PromptCut, PromptSection, ResolvedPersona, SessionMode } from '@chirality/contracts';
import { assemblePrompt } from '@chirality/domain';
import type { InstructionRoot } from '../instruction/instruction-root';
import type { PersonaPrompts } from '../persona/persona-prompts';
import { readProjectContext } from './project-context';

type PromptRequest = { mode: SessionMode; persona: ResolvedPersona | null; addition: string | null };
export type Prompt = { text: string; sections: PromptSection[]; cuts: PromptCut[] };

/** Puts together what is appended to the program's own prompt: for a turn, and for its preview. */
export class PromptAssembler {
  constructor(
    private readonly instructions: InstructionRoot,
    private readonly personas: PersonaPrompts,
  ) {}

  /** `workspace`: the host path of the files as the turn finds them. Not masked. */
  async assemble({ mode, persona, addition }: PromptRequest, workspace: string): Promise<Prompt> {
    const [base, modeText, context, role] = await Promise.all([
      this.instructions.base(),
      this.instructions.mode(mode),
      readProjectContext(workspace),
      persona && this.personas.of(persona),
    ]);
    return assemblePrompt({ base, mode: modeText, context, persona: role, addition });
  }
}
