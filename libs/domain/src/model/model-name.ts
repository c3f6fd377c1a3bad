import { canonicalModel } from '../cost/find-price';
import { PROGRAM_ALIASES } from './program-models';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A model as a person calls it: `Claude Sonnet 4.5`, `Sonnet (latest)`. A name that follows no such form stays as it is. */
export function modelName(option: string): string {
  const name = canonicalModel(option);
  if (Object.hasOwn(PROGRAM_ALIASES, name)) return `${capital(name)} (latest)`;
  if (!name.startsWith('claude-')) return option;
  const words = name.slice('claude-'.length).split('-');
  const version = words.filter((word) => /^\d+$/.test(word)).join('.');
  const family = words.filter((word) => !/^\d+$/.test(word)).map(capital);
  return ['Claude', ...family, ...(version === '' ? [] : [version])].join(' ');
}
