import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { instanceQuery } from '../api/get-instance';

export function DemoNote() {
  const instance = useQuery(instanceQuery).data;
  if (instance?.demo !== true) return null;
  return (
    <p className="mb-1 flex gap-2 rounded-md bg-accent-soft px-2.5 py-2 text-sm text-accent" title="Set ANTHROPIC_API_KEY and restart to use Claude.">
      <FlaskConical size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span>
        <strong className="font-semibold">Demo model.</strong> Answers are scripted, and nobody pays for them.
      </span>
    </p>
  );
}
