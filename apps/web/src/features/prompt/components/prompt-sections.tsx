import type { AssembledPrompt, PromptCut, PromptSection } from '@chirality/contracts';
import { ChevronRight } from 'lucide-react';
import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { formatCount } from '../../../lib/format/count';

const PARTS: Record<PromptSection['part'], string> = {
  base: 'Who Claude is here',
  context: 'File of the project',
  persona: 'Persona',
  mode: 'How this mode works',
  addition: 'Added for the turn',
};

function cutText({ part, name, keptCharacters, removedCharacters }: PromptCut): string {
  const what = part === 'context' ? name : part === 'persona' ? `persona ${name}` : 'what was added';
  return removedCharacters === null
    ? `${what}: only the first ${formatCount(keptCharacters)} characters`
    : `${what}: ${formatCount(removedCharacters)} of ${formatCount(keptCharacters + removedCharacters)} characters`;
}

/** The parts of a prompt in their order, each to be opened; first what is missing. */
export function PromptSections({ prompt }: { prompt: AssembledPrompt }) {
  const { sections, cuts, text, limitCharacters } = prompt;
  return (
    <div className="stack gap-3">
      {cuts.length > 0 && (
        <Callout tone="warn" title="Cut, because it did not fit">
          <ul>
            {cuts.map((cut) => (
              <li key={`${cut.part} ${cut.name}`}>{cutText(cut)}</li>
            ))}
          </ul>
        </Callout>
      )}
      <p className="flex items-center gap-2 text-sm text-muted">
        <span className="flex-1">
          {formatCount(text.length)} of at most {formatCount(limitCharacters)} characters
        </span>
        <CopyButton text={text} label="Copy the whole prompt" />
      </p>
      {sections.map((section) => (
        <details key={`${section.part} ${section.name}`} className="group rounded-lg border border-line">
          <summary className="flex list-none items-center gap-2 rounded-lg px-3 py-2 text-sm hover:bg-hover">
            <ChevronRight size={14} aria-hidden="true" className="shrink-0 transition-transform group-open:rotate-90" />
            <span className="min-w-0 flex-1 truncate">
              <span className="font-medium">{PARTS[section.part]}</span>
              {(section.part === 'context' || section.part === 'persona') && (
                <span className="text-muted"> {section.name}</span>
              )}
            </span>
            <span className="shrink-0 text-faint tabular-nums">{formatCount(section.text.length)}</span>
          </summary>
          <pre
            tabIndex={0}
            className="max-h-96 overflow-auto border-t border-line p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
          >
            {section.text}
          </pre>
        </details>
      ))}
    </div>
  );
}
