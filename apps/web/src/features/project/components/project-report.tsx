import type { Project } from '@chirality/contracts';
import { Callout } from '../../../components/ui/callout';
import { formatBytes, plural } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';

/** What of the project's source is not among its files as one might expect it. */
export function ProjectReport({ report }: Pick<Project, 'report'>) {
  const { submodules, lfs, leftOut } = report ?? {};
  if (!submodules?.leftCount && !lfs?.pointers && !leftOut?.count) return null;
  return (
    <div className="stack gap-3 pb-4">
      {submodules && submodules.leftCount > 0 && (
        <Callout
          tone="warn"
          title={`${plural(submodules.leftCount, 'submodule')} ${submodules.leftCount === 1 ? 'is' : 'are'} empty in sessions`}
        >
          <LeftOut left={submodules.left} count={submodules.leftCount} />
        </Callout>
      )}
      {lfs && lfs.pointers > 0 && (
        <Callout
          tone="warn"
          title={`${plural(lfs.pointers, 'file')} ${lfs.pointers === 1 ? 'is a Git LFS pointer' : 'are Git LFS pointers'}`}
        >
          Sessions have pointers in place of the content ({formatBytes(lfs.bytes)}), which is not fetched here.
        </Callout>
      )}
      {leftOut && leftOut.count > 0 && (
        <Callout
          tone="warn"
          title={`${plural(leftOut.count, 'entry', 'entries')} of the archive ${leftOut.count === 1 ? 'was' : 'were'} left out`}
        >
          <LeftOut left={leftOut.named} count={leftOut.count} />
        </Callout>
      )}
    </div>
  );
}

function LeftOut({ left, count }: { left: { path: string; reason: string }[]; count: number }) {
  return (
    <details>
      <summary className="cursor-pointer">Which ones, and why</summary>
      <ul className="grid gap-1 pt-2 text-sm">
        {left.map(({ path, reason }, index) => (
          <li key={index} className="wrap-anywhere">
            <code>{revealHidden(path)}</code>: {revealHidden(reason)}
          </li>
        ))}
        {count > left.length && <li>and {count - left.length} more</li>}
      </ul>
    </details>
  );
}
