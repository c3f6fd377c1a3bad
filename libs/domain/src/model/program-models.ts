import { canonicalModel } from '../cost/find-price';

/**
 * The names that the program itself has for models, with the model that it then asks for (Claude Code 2.1.332). A test
 * compares them with the installed program.
 */
export const PROGRAM_ALIASES = {
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
  best: 'claude-opus-5-5',
  default: 'claude-opus-5-5',
} as const satisfies Readonly<Record<string, string>>;

/** What the program gives to helpers that are asked for with a small model, whatever the model of the turn is. */
const HELPER_MODELS: readonly string[] = [PROGRAM_ALIASES.haiku];

/** The model that the program asks for where an option names this one, without provider, window, version and date. */
export function resolveModel(option: string): string {
  const name = canonicalModel(option);
  return Object.hasOwn(PROGRAM_ALIASES, name) ? PROGRAM_ALIASES[name as keyof typeof PROGRAM_ALIASES] : name;
}

/** Whether a turn whose option names a model may ask the model's service for that one. */
export function mayAskModel(option: string, asked: string): boolean {
  const model = canonicalModel(asked);
  return model === resolveModel(option) || HELPER_MODELS.includes(model);
}
