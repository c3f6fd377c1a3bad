import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { IconButton } from '../../../components/ui/icon-button';
import { rulesQuery } from '../api/list-rules';
import { removeRule } from '../api/remove-rule';

/** What was allowed for the rest of the session, and by whom; each can be taken back. */
export function RuleList({ sessionId, mayChange }: { sessionId: string; mayChange: boolean }) {
  const queries = useQueryClient();
  const rules = useQuery(rulesQuery(sessionId)).data ?? [];
  const remove = useMutation({ mutationFn: removeRule, onSettled: () => queries.invalidateQueries({ queryKey: ['rules', sessionId] }) });
  return (
    <section className="mt-4 border-t border-line pt-3">
      <h2 className="text-sm font-semibold">Allowed for this session</h2>
      {rules.length === 0 && <p className="pt-1 text-sm text-muted">Nothing beyond what the options say.</p>}
      <ul className="stack gap-0.5 pt-1">
        {rules.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1">
              <code className="block truncate font-mono text-sm">{rule.pattern ?? rule.tool}</code>
              <span className="block text-xs text-faint">by {rule.createdBy.name}</span>
            </span>
            {mayChange && (
              <IconButton label={`Take back ${rule.pattern ?? rule.tool}`} onClick={() => remove.mutate({ sessionId, ruleId: rule.id })}>
                <X size={15} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
