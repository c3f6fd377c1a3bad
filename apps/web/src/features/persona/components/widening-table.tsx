import type { PersonaNarrowing } from '@chirality/contracts';
import { optionName, valueText } from '../persona-names';

/** What holds now and what would hold after an approval, option by option. */
export function WideningTable({ narrowed }: { narrowed: readonly PersonaNarrowing[] }) {
  return (
    <section>
      <h3 className="pb-1.5 text-sm font-semibold">What an approval changes</h3>
      <div className="overflow-x-auto rounded-lg border border-line">
        <table className="w-full text-sm">
          <thead className="bg-sunken text-start text-muted">
            <tr>
              {['Option', 'Now', 'Approved'].map((title) => (
                <th key={title} scope="col" className="px-3 py-1.5 text-start font-medium">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {narrowed.map(({ option, asked, given }) => (
              <tr key={option} className="border-t border-line align-top">
                <th scope="row" className="px-3 py-1.5 text-start font-normal">
                  {optionName(option)}
                </th>
                <td className="px-3 py-1.5 text-muted">{valueText(given)}</td>
                <td className="px-3 py-1.5 font-medium wrap-anywhere text-warn">{valueText(asked)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
