import { normalizeRule, ruleText } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { Callout } from '../../../components/ui/callout';
import { IconButton } from '../../../components/ui/icon-button';
import { tooWideQuery, useRemoveTooWideRule } from './rule.api';
import { RuleWidth } from './rule-width';
import { FailureText } from '../../../components/text/failure-text';

/**
 * Rules that people allowed in sessions and that are more than they show. Shown to those who may delete them, while
 * there are any.
 */
export function TooWideRules({ projectId }: { projectId: string }) {
  const rules = useQuery(tooWideQuery(projectId)).data ?? [];
  const remove = useRemoveTooWideRule(projectId);
  if (rules.length === 0) return null;
  return (
    <section aria-label="Rules of sessions that are too wide" className="stack gap-2">
      <h3 className="text-sm font-semibold">Rules of sessions that are too wide</h3>
      <p className="text-sm text-muted">
        These were allowed in a session and let more run than they show. Delete those that are not needed; Claude then
        asks again.
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {rules.map((rule) => (
          <li key={rule.id} className="flex items-center gap-3 px-4 py-2">
            <RuleWidth rule={rule} />
            <span className="shrink-0 text-xs text-faint max-phone:hidden">by {rule.createdBy.name}</span>
            <IconButton
              label={`Delete ${ruleText(normalizeRule(rule))}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(rule.id)}
            >
              <Trash2 size={15} />
            </IconButton>
          </li>
        ))}
      </ul>
      {remove.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={remove.error} />
        </Callout>
      )}
    </section>
  );
}
