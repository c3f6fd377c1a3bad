import type { Project } from '@chirality/contracts';
import { Callout } from '../../../components/ui/callout';
import { plural } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';

/** What of the project's source is not among its files as one might expect it. */
export function ProjectReport({ report }: Pick<Project, 'report'>) {
  const submodules = report?.submodules;
  return (
    <>
      {submodules && submodules.leftCount > 0 && (
        <Callout
          tone="warn"
          title={`${plural(submodules.leftCount, 'submodule')} ${submodules.leftCount === 1 ? 'is' : 'are'} empty in sessions`}
        >
          <LeftOut left={submodules.left} count={submodules.leftCount} />
        </Callout>
      )}
    </>
  );
}

function LeftOut({ left, count }: { left: { path: string; reason: string }[]; count: number }) {
  return (
    <details>
      <summary className="cursor-pointer">Which ones, and why</summary>
      <ul className="grid gap-1 pt-2 text-sm">
        {left.map(({ path, reason }) => (
          <li key={path} className="wrap-anywhere">
            <code>{revealHidden(path)}</code>: {revealHidden(reason)}
          </li>
        ))}
        {count > left.length && <li>and {count - left.length} more</li>}
      </ul>
    </details>
  );
}
