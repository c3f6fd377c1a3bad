import { normalizeRule, ruleText } from '@chirality/domain';
import { TriangleAlert } from 'lucide-react';

/** A rule as it is stored, and what it really allows where that is more. */
export function RuleWidth({ rule }: { rule: { tool: string; pattern: string | null; tooWide: string | null } }) {
  return (
    <span className="min-w-0 flex-1">
      <code className="block font-mono text-sm wrap-anywhere">{ruleText(normalizeRule(rule))}</code>
      {rule.tooWide !== null && (
        <span className="flex items-start gap-1.5 pt-0.5 text-xs text-warn">
          <TriangleAlert size={13} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span>Too wide. {rule.tooWide}</span>
        </span>
      )}
    </span>
  );
}
