import type { PersonaDetail } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function approvePersona({
  projectId,
  key,
  contentHash,
}: {
  projectId: string;
  key: string;
  contentHash: string;
}): Promise<PersonaDetail> {
  return request(`/v1/projects/${projectId}/personas/${encodeURIComponent(key)}/approve`, {
    method: 'POST',
    body: { contentHash },
  });
}
