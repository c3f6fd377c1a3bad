import { request } from '../../../lib/http/api-client';

export function removeKey(keyId: string): Promise<void> {
  return request(`/v1/keys/${keyId}`, { method: 'DELETE' });
}
