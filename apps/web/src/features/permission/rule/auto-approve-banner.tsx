import type { Project } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';

/** Says on every session of a project that no one is asked there. */
export function AutoApproveBanner({ project }: { project: Project | null }) {
  if (project?.autoApprove == null) return null;
  return (
    <p role="status" className="flex shrink-0 items-center gap-2 border-b border-line bg-warn-soft px-4 py-1.5 text-sm">
      <ShieldOff size={15} aria-hidden="true" className="shrink-0 text-warn" />
      <span className="min-w-0">
        <span className="font-medium text-warn">Auto-approve is on.</span> Commands run here without anyone being asked.{' '}
        <Link
          to="/projects/$projectId/settings"
          params={{ projectId: project.id }}
          hash="permissions"
          className="underline underline-offset-2"
        >
          Switched on by {project.autoApprove.by.name}
        </Link>
      </span>
    </p>
  );
}
