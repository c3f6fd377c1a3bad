import type { PromptCut, PromptSection } from '@chirality/contracts';
import { headOf } from '../text/cut-text';
import { contextSections, untrustedRole, type ContextFile } from './untrusted-context';

/** Changes with the form of the assembled prompt, so that a session knows to boot again. */
export const PROMPT_TEMPLATE_VERSION = 1;

const CHARACTERS_PER_TOKEN = 4;
const PROMPT_LIMIT_TOKENS = 16_000;
export const PROMPT_LIMIT_CHARACTERS = PROMPT_LIMIT_TOKENS * CHARACTERS_PER_TOKEN;

/** `untrusted`: it comes from a repository and is not approved. */
export type PromptPersona = { key: string; text: string; untrusted: boolean };

export type PromptParts = {
  /** Who the assistant is; never cut. */
  base: string;
  context: readonly ContextFile[];
  persona: PromptPersona | null;
  /** How this mode works; never cut. */
  mode: string;
  /** What the turn's author adds. */
  addition?: string | null;
};

const CUT_MARK = '\n[cut here: the rest did not fit]';
/** What the marks of a cut take, in the text and around a file. */
const CUT_RESERVE = CUT_MARK.length + 20;

/**
 * The system prompt that is appended to the program's own: base identity, the project's files marked as untrusted, the
 * persona, the mode, the turn's own addition; at most 64,000 characters. What does not fit is taken from the persona
 * first, then from the context, its last file first, then from the addition; never from base or mode. `cuts` says what
 * is missing; `text` is the text of the sections with an empty line between them.
 */
export function assemblePrompt(parts: PromptParts): { text: string; sections: PromptSection[]; cuts: PromptCut[] } {
  const persona = fit(parts.persona?.text ?? '', excessOf(parts));
  let current: PromptParts =
    persona.removed === 0 ? parts : { ...parts, persona: parts.persona && { ...parts.persona, text: persona.text } };
  const cuts = persona.removed === 0 ? [] : [cutOf('persona', parts.persona?.key ?? '', persona)];
  for (const file of [...parts.context].reverse()) {
    const fitted = fit(file.text, excessOf(current));
    if (fitted.removed > 0 || file.cut) cuts.push(cutOf('context', file.name, fitted, file.cut));
    if (fitted.removed > 0) current = withFile(current, { ...file, text: fitted.text, cut: true });
  }
  const addition = fit(current.addition ?? '', excessOf(current));
  if (addition.removed > 0) {
    current = { ...current, addition: addition.text };
    cuts.push(cutOf('addition', 'addition', addition));
  }
  return { text: textOf(current), sections: sectionsOf(current), cuts };
}

type Fitted = { text: string; kept: number; removed: number };

/** `text` without its last `excess` characters and a mark in their place; empty when nothing of it can stay. */
function fit(text: string, excess: number): Fitted {
  if (excess <= 0 || text === '') return { text, kept: text.length, removed: 0 };
  const kept = headOf(text, text.length - excess - CUT_RESERVE);
  return { text: kept === '' ? '' : kept + CUT_MARK, kept: kept.length, removed: text.length - kept.length };
}

function cutOf(part: PromptCut['part'], name: string, { kept, removed }: Fitted, alreadyCut = false): PromptCut {
  return { part, name, keptCharacters: kept, removedCharacters: alreadyCut ? null : removed };
}

function excessOf(parts: PromptParts): number {
  return textOf(parts).length - PROMPT_LIMIT_CHARACTERS;
}

function withFile(parts: PromptParts, shortened: ContextFile): PromptParts {
  const context = parts.context.map((file) => (file.name === shortened.name ? shortened : file));
  return { ...parts, context: context.filter((file) => file !== shortened || file.text !== '') };
}

function textOf(parts: PromptParts): string {
  return sectionsOf(parts)
    .map(({ text }) => text)
    .join('\n\n');
}

function sectionsOf({ base, context, persona, mode, addition }: PromptParts): PromptSection[] {
  const sections: PromptSection[] = [
    { part: 'base', name: 'base', text: base.trim() },
    ...contextSections(context).map(({ name, text }) => ({ part: 'context' as const, name, text })),
    { part: 'persona', name: persona?.key ?? '', text: roleOf(persona) },
    { part: 'mode', name: 'mode', text: mode.trim() },
    { part: 'addition', name: 'addition', text: addition ? `# Added by the author of this turn\n\n${addition}` : '' },
  ];
  return sections.filter(({ text }) => text !== '');
}

function roleOf(persona: PromptPersona | null): string {
  if (persona === null || persona.text === '') return '';
  return persona.untrusted ? untrustedRole(persona) : `# Your role: ${persona.key}\n\n${persona.text}`;
}
