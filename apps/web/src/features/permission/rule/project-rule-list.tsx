import type { ProjectRule, RuleEffect } from '@chirality/contracts';
import { ruleText } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge, type Tone } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { IconButton } from '../../../components/ui/icon-button';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { projectRulesQuery, useAddProjectRule, useRemoveProjectRule } from './rule.api';
import { AddRuleForm } from './add-rule-form';
import { RuleWidth } from './rule-width';
import { FailureText } from '../../../components/text/failure-text';

const EFFECTS: Record<RuleEffect, { name: string; tone: Tone }> = {
  deny: { name: 'refused', tone: 'bad' },
  ask: { name: 'asked', tone: 'warn' },
  allow: { name: 'allowed', tone: 'good' },
};

function RuleRow({ rule, onRemove }: { rule: ProjectRule; onRemove: (() => void) | null }) {
  const effect = EFFECTS[rule.effect];
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <Badge tone={effect.tone} className="w-16 justify-center">
        {effect.name}
      </Badge>
      <RuleWidth rule={rule} />
      <span className="shrink-0 text-xs text-faint max-phone:hidden">by {rule.createdBy.name}</span>
      {onRemove !== null && (
        <IconButton label={`Take away ${ruleText(rule)}`} onClick={onRemove}>
          <Trash2 size={15} />
        </IconButton>
      )}
    </li>
  );
}

/** Rules of a project: refusing beats asking beats allowing. What was taken away can be brought back. */
export function ProjectRuleList({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const rules = useQuery(projectRulesQuery(projectId));
  const [gone, setGone] = useState<ProjectRule | null>(null);
  const remove = useRemoveProjectRule(projectId, setGone);
  const bringBack = useAddProjectRule(projectId, () => setGone(null));
  const failure = remove.error ?? bringBack.error;
  return (
    <div className="stack gap-3">
      <QueryGate query={rules} pending={<SkeletonRows count={2} className="h-11 rounded-lg" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="text-sm text-muted">
              No rules yet. Claude reads and edits freely in a session’s copy, and asks before it runs commands that
              change something.
            </p>
          ) : (
            <ul
              aria-label="Rules"
              className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
            >
              {data.map((rule) => (
                <RuleRow key={rule.id} rule={rule} onRemove={mayChange ? () => remove.mutate(rule) : null} />
              ))}
            </ul>
          )
        }
      </QueryGate>
      {gone !== null && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <span className="min-w-0 truncate">
            Took away <code className="font-mono">{ruleText(gone)}</code>.
          </span>
          <Button
            size="small"
            busy={bringBack.isPending}
            onClick={() => bringBack.mutate({ tool: gone.tool, pattern: gone.pattern, effect: gone.effect })}
          >
            Undo
          </Button>
        </p>
      )}
      {failure !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={failure} />
        </Callout>
      )}
      {mayChange && <AddRuleForm projectId={projectId} />}
    </div>
  );
}
