import { STARTER_PROMPTS } from '@chirality/domain';

/** Example messages; choosing one fills the message field, it sends nothing. */
export function PromptChips({ onChoose }: { onChoose: (message: string) => void }) {
  return (
    <ul aria-label="Examples" className="flex flex-wrap justify-center gap-2">
      {STARTER_PROMPTS.map(({ label, message }) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => onChoose(message)}
            className="rounded-full border border-line-strong bg-surface px-3 py-1 text-sm text-muted transition-colors hover:border-faint hover:text-text pointer-coarse:py-2.5"
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}
