import { Observable } from '../state/observable';
import { localStore } from '../state/storage';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const TEXT_SIZES = ['small', 'normal', 'large'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

function chosen<T extends string>(key: string, choices: readonly T[], fallback: T): Observable<T> {
  const stored = localStore.get(key);
  return new Observable(choices.find((choice) => choice === stored) ?? fallback);
}

export const theme = chosen('chirality.theme', THEMES, 'system');
export const textSize = chosen('chirality.text-size', TEXT_SIZES, 'normal');

function apply(key: string, attribute: 'data-theme' | 'data-text-size', value: string, neutral: string): void {
  const root = document.documentElement;
  if (value === neutral) root.removeAttribute(attribute);
  else root.setAttribute(attribute, value);
  localStore.set(key, value);
}

export function chooseTheme(next: Theme): void {
  theme.set(next);
  apply('chirality.theme', 'data-theme', next, 'system');
}

export function chooseTextSize(next: TextSize): void {
  textSize.set(next);
  apply('chirality.text-size', 'data-text-size', next, 'normal');
}
