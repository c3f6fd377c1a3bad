import { useQuery } from '@tanstack/react-query';
import { ShieldOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names';
import { instanceQuery, readinessQuery } from '../instance.api';
import { brokenParts } from '../broken-parts';

function Bar({ tone, icon, children }: { tone: 'warn' | 'bad'; icon: ReactNode; children: ReactNode }) {
  return (
    <div
      role="status"
      className={classNames(
        'flex items-center justify-center gap-2 px-4 py-1.5 text-sm',
        tone === 'bad' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
      )}
    >
      <span aria-hidden="true" className="shrink-0">
        {icon}
      </span>
      <span>{children}</span>
    </div>
  );
}

/** The others are said by the readiness of their part, or where they matter. */
const SHOWN_WARNINGS: ReadonlySet<string> = new Set(['NO_SANDBOX', 'CLAUDE_VERSION']);

/**
 * What is wrong with this installation, on every page: it must not be possible to overlook that there is no sandbox.
 */
export function InstanceBanners() {
  const instance = useQuery(instanceQuery).data;
  const readiness = useQuery(readinessQuery);
  const broken = brokenParts(readiness.data ?? null);
  return (
    <>
      {(instance?.warnings ?? [])
        .filter(({ code }) => SHOWN_WARNINGS.has(code))
        .map(({ code, text }) => (
          <Bar
            key={code}
            tone={code === 'NO_SANDBOX' ? 'bad' : 'warn'}
            icon={code === 'NO_SANDBOX' ? <ShieldOff size={15} /> : <TriangleAlert size={15} />}
          >
            {text}
          </Bar>
        ))}
      {broken.map((part) => (
        <Bar key={part.name} tone={part.isDown ? 'bad' : 'warn'} icon={<TriangleAlert size={15} />}>
          {part.sentence}
        </Bar>
      ))}
    </>
  );
}
