import type { PersonaDefinition } from './persona-file';

/**
 * What counts of a persona that comes with a repository and that no admin has approved: it may take tools away and
 * shorten a turn, and nothing else.
 */
export function narrowedPersona(persona: PersonaDefinition): PersonaDefinition {
  const { tools, disallowedTools, maxTurns } = persona.options;
  return {
    ...persona,
    options: {
      ...(tools === undefined ? {} : { tools }),
      ...(disallowedTools === undefined ? {} : { disallowedTools }),
      ...(maxTurns === undefined ? {} : { maxTurns }),
    },
  };
}

/** Whether an admin's approval would make a difference to that persona. */
export function widens(persona: PersonaDefinition): boolean {
  return persona.options.autoApproveTools !== undefined || persona.options.model !== undefined;
}

/** The personas that may be chosen: of one key the first list's, so that a project's never shadows a team's or a built-in one. */
export function mergePersonas<T extends { key: string }>(...lists: readonly (readonly T[])[]): T[] {
  const byKey = new Map<string, T>();
  for (const persona of lists.flat()) if (!byKey.has(persona.key)) byKey.set(persona.key, persona);
  return [...byKey.values()];
}
