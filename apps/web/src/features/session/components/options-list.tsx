import type { Session } from '@chirality/contracts';
import { limitSentence } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { optionsQuery } from '../session.api';
import { isLimited, OPTION_NAMES, optionText, ORIGIN_NAMES } from '../../options/option-names';

type Props = {
  session: Session;
  /** What the next turn is billed to, in a sentence; null while that is not known. */
  billingAccount: string | null;
  /** Null where the person may not change them. */
  onChange: (() => void) | null;
};

/** The options of the next turn, each with its origin. */
export function OptionsList({ session, billingAccount, onChange }: Props) {
  const options = useQuery(optionsQuery(session.id));
  return (
    <section>
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-sm font-semibold">Options of the next turn</h2>
        {onChange !== null && (
          <Button size="small" onClick={onChange}>
            Change…
          </Button>
        )}
      </div>
      <QueryGate query={options} pending={<SkeletonRows count={5} className="mt-2 h-5 rounded-md" />}>
        {(resolved) => (
          <table className="mt-2 w-full text-sm">
            <thead className="sr-only">
              <tr>
                <th>Option</th>
                <th>Value</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(resolved).map(
                ([key, option]) =>
                  option !== undefined && (
                    <tr key={key} className="align-top">
                      <th scope="row" className="py-0.5 pe-3 text-start font-normal whitespace-nowrap text-muted">
                        {OPTION_NAMES[key] ?? key}
                      </th>
                      <td className="py-0.5 pe-3 wrap-anywhere">
                        {optionText(key, option.value)}
                        {option.limit !== undefined && isLimited(key) && (
                          <span className="block text-faint">{limitSentence(key, option.limit)}</span>
                        )}
                      </td>
                      <td className="py-0.5 text-end whitespace-nowrap text-faint">{ORIGIN_NAMES[option.from]}</td>
                    </tr>
                  ),
              )}
            </tbody>
          </table>
        )}
      </QueryGate>
      {billingAccount !== null && <p className="pt-2 text-sm text-muted">{billingAccount}</p>}
    </section>
  );
}
