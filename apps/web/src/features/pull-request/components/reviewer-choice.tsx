import type { PullRequestOptions } from '@chirality/contracts';
import { UntrustedText } from '../../../components/text/untrusted-text';

type Props = {
  reviewers: PullRequestOptions['reviewers'];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
};

const MAX_REVIEWERS = 20;

/** People of the repository to be asked; nothing where the host lists none. */
export function ReviewerChoice({ reviewers, chosen, onChange }: Props) {
  if (reviewers.length === 0) return null;
  return (
    <fieldset className="stack gap-1.5">
      <legend className="text-sm font-medium">Reviewers</legend>
      <div className="max-h-44 overflow-y-auto rounded-md border border-line p-1">
        {reviewers.map(({ name, displayName }) => {
          const isChosen = chosen.includes(name);
          return (
            <label
              key={name}
              className="flex items-center gap-2 rounded px-2 py-1.5 hover:bg-hover pointer-coarse:py-2.5"
            >
              <input
                type="checkbox"
                checked={isChosen}
                disabled={!isChosen && chosen.length >= MAX_REVIEWERS}
                onChange={() => onChange(isChosen ? chosen.filter((one) => one !== name) : [...chosen, name])}
                className="size-4 accent-accent"
              />
              <span className="min-w-0 truncate">
                <UntrustedText text={name} mode="prose" />
                {displayName !== null && (
                  <span className="ms-1.5 text-muted">
                    <UntrustedText text={displayName} mode="prose" />
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
