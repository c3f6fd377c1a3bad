import { useRef, useState } from 'react';

/** State that a key can read before the next drawing: keys come faster than that, and act on what the last one did. */
export function useLatest<T>(initial: T) {
  const [shown, show] = useState(initial);
  const latest = useRef(initial);
  return {
    shown,
    read: () => latest.current,
    write: (next: T) => {
      latest.current = next;
      show(() => next);
    },
  };
}
