import { useEffect } from 'react';
import { revealInProse } from '../text/reveal';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Chirality' : `${revealInProse(title)} · Chirality`;
  }, [title]);
}
