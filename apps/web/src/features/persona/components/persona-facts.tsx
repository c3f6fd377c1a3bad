import type { Options } from '@chirality/contracts';
import { optionName, valueText } from '../persona-names';

/** The options that a persona's file sets. */
export function PersonaFacts({ options }: { options: Options }) {
  const rows = Object.entries(options);
  if (rows.length === 0) return <p className="text-sm text-muted">It sets no options.</p>;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {rows.map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="whitespace-nowrap text-muted">{optionName(key)}</dt>
          <dd className="wrap-anywhere">{valueText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
