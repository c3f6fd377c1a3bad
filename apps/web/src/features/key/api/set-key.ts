import type { KeyScope, ModelKey } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

/** In place of an earlier one, if there is one. */
export function setKey(key: { teamId: string; scope: KeyScope; value: string }): Promise<ModelKey> {
  return request('/v1/keys', { method: 'POST', body: key });
}
