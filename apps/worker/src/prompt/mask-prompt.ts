import type { PromptCut, PromptSection } from '@chirality/contracts';
import { maskText, type MaskPattern } from '@chirality/domain';

/** The sections as people may read them. */
export function maskPrompt(
  { sections, cuts }: { sections: PromptSection[]; cuts: PromptCut[] },
  masks?: readonly MaskPattern[],
): { sections: PromptSection[]; cuts: PromptCut[] } {
  return { sections: sections.map((section) => ({ ...section, text: maskText(section.text, masks) })), cuts };
}
