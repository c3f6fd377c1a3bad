import type { CheckStatus, PullRequest } from '@chirality/contracts';
import type { Tone } from '../../components/ui/badge';

type Summary = { text: string; tone: Tone };

const FAILED: ReadonlySet<CheckStatus> = new Set<CheckStatus>(['failed', 'cancelled']);
const UNDER_WAY: ReadonlySet<CheckStatus> = new Set<CheckStatus>(['waiting', 'running']);

/** All checks in a few words; null where there are none. */
export function checksSummary(checks: PullRequest['checks']): Summary | null {
  const count = (statuses: ReadonlySet<CheckStatus>) => checks.filter(({ status }) => statuses.has(status)).length;
  if (checks.length === 0) return null;
  const failed = count(FAILED);
  const underWay = count(UNDER_WAY);
  if (failed > 0) return { text: `${failed} of ${checks.length} checks failed`, tone: 'bad' };
  if (underWay > 0) return { text: `${underWay} of ${checks.length} checks running`, tone: 'warn' };
  return { text: checks.length === 1 ? '1 check passed' : `${checks.length} checks passed`, tone: 'good' };
}

export const CHECK_WORDS: Record<CheckStatus, { text: string; tone: Tone }> = {
  waiting: { text: 'Waiting', tone: 'warn' },
  running: { text: 'Running', tone: 'warn' },
  passed: { text: 'Passed', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  cancelled: { text: 'Cancelled', tone: 'bad' },
  skipped: { text: 'Skipped', tone: 'neutral' },
};

export const REVIEW_WORDS: Record<PullRequest['reviews'][number]['state'], { text: string; tone: Tone } | null> = {
  commented: null,
  approved: { text: 'Approved', tone: 'good' },
  changes_requested: { text: 'Changes requested', tone: 'bad' },
  dismissed: { text: 'Dismissed', tone: 'neutral' },
  resolved: { text: 'Resolved', tone: 'neutral' },
  outdated: { text: 'Outdated', tone: 'neutral' },
};

/** `Draft` while it is one, else its state. */
export function stateWords({ state, draft }: Pick<PullRequest, 'state' | 'draft'>): { text: string; tone: Tone } {
  if (state === 'merged') return { text: 'Merged', tone: 'accent' };
  if (state === 'closed') return { text: 'Closed', tone: 'neutral' };
  return draft ? { text: 'Draft', tone: 'neutral' } : { text: 'Open', tone: 'good' };
}
