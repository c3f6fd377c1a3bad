import { useQuery } from '@tanstack/react-query';
import { ShieldOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/ui/class-names';
import { instanceQuery } from '../api/get-instance';
import { readinessQuery } from '../api/get-readiness';
import { brokenParts } from '../broken-parts';

function Bar({ tone, icon, children }: { tone: 'warn' | 'bad'; icon: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className={classNames('flex items-center justify-center gap-2 px-4 py-1.5 text-sm', tone === 'bad' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn')}>
      <span aria-hidden="true" className="shrink-0">
        {icon}
      </span>
      <span>{children}</span>
    </div>
  );
}

/** What is wrong with this installation, on every page: it must not be possible to overlook that there is no sandbox. */
export function InstanceBanners() {
  const instance = useQuery(instanceQuery).data;
  const readiness = useQuery(readinessQuery);
  const broken = brokenParts(readiness.data ?? null);
  return (
    <>
      {(instance?.warnings ?? [])
        .filter(({ code }) => code === 'NO_SANDBOX')
        .map(({ code, text }) => (
          <Bar key={code} tone="bad" icon={<ShieldOff size={15} />}>
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
