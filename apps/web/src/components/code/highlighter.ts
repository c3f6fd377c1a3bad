import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);

export type HighlightTree = ReturnType<typeof lowlight.highlight>;

/** The code as a tree of classed spans; null for a language that is not known. */
export function highlight(code: string, language: string): HighlightTree | null {
  return lowlight.registered(language) ? lowlight.highlight(language, code) : null;
}
