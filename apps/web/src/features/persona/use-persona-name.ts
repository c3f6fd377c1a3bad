import { useQuery } from '@tanstack/react-query';
import { personasQuery } from './persona.api';

/** Names hardly ever change; what the key means is asked for by the lists. */
const NAME_STALE_MS = 5 * 60_000;

/** The name of the persona that a key means in a project; the key until that is known, null for none. */
export function usePersonaName(projectId: string, key: string | null): string | null {
  const list = useQuery({ ...personasQuery(projectId), enabled: key !== null, staleTime: NAME_STALE_MS }).data;
  return list?.data.find((persona) => persona.key === key && persona.shadowedBy === null)?.name ?? key;
}
