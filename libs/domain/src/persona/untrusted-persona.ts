import type { PersonaNarrowing } from '@chirality/contracts';
import type { PersonaDefinition } from './persona-file';

/** What holds where a persona says nothing: a project's file may stay within it and not go beyond. */
export type PersonaBounds = { maxTurns: number };

const REASON = 'It counts once an admin has approved this file as it is now.';

/**
 * What counts of a persona that comes with a repository and that no admin has approved: it may take tools away and
 * shorten a turn, and nothing else. `narrowed` names each option that it asked for without effect.
 */
export function narrowPersona(
  { options }: Pick<PersonaDefinition, 'options'>,
  bounds: PersonaBounds,
): { options: PersonaDefinition['options']; narrowed: PersonaNarrowing[] } {
  const { tools, disallowedTools, maxTurns, autoApproveTools, model } = options;
  const narrowed: PersonaNarrowing[] = [];
  const refuse = (option: string, asked: unknown, given: unknown = null): void =>
    void narrowed.push({ option, asked, given, reason: REASON });
  if (autoApproveTools !== undefined && autoApproveTools.length > 0) refuse('autoApproveTools', autoApproveTools, []);
  if (model !== undefined) refuse('model', model);
  const tooLong = maxTurns !== undefined && maxTurns > bounds.maxTurns;
  if (tooLong) refuse('maxTurns', maxTurns, bounds.maxTurns);
  return {
    options: {
      ...(tools === undefined ? {} : { tools }),
      ...(disallowedTools === undefined ? {} : { disallowedTools }),
      ...(maxTurns === undefined || tooLong ? {} : { maxTurns }),
    },
    narrowed,
  };
}
