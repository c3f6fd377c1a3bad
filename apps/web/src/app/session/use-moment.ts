import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readMoment, type Moment } from '../../lib/transcript/moment';

/** The place in the conversation that the address names. Following the same link once more makes another object. */
export function useMoment(): Moment | null {
  const visit = useLocation({ select: ({ hash, state }) => `${hash} ${state.__TSR_key ?? ''}` });
  return useMemo(() => readMoment(visit.split(' ')[0] ?? ''), [visit]);
}
