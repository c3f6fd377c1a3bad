import { createHash } from 'node:crypto';
import type { ResolvedPersona } from '@chirality/contracts';
import { PROMPT_TEMPLATE_VERSION } from '@chirality/domain';

/** What a session is booted for; when any of it changes, the next turn boots it again. */
export type BootFacts = {
  persona: Pick<ResolvedPersona, 'key' | 'origin' | 'contentHash' | 'approval'> | null;
  mode: string;
  sessionOptions: unknown;
  harness: string;
  claudeVersion: string | null;
};

/** SHA-256, hex, over the facts and the version of the prompt's form. The order of an option's keys does not matter. */
export function bootFingerprint(facts: BootFacts): string {
  const { persona, mode, sessionOptions, harness, claudeVersion } = facts;
  const resolved = persona && {
    key: persona.key,
    origin: persona.origin,
    hash: persona.contentHash,
    approved: persona.approval !== null,
  };
  return createHash('sha256')
    .update(
      canonical({ persona: resolved, mode, sessionOptions, prompt: PROMPT_TEMPLATE_VERSION, harness, claudeVersion }),
    )
    .digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
