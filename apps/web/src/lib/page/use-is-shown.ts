import { useCallback, useEffect, useRef } from 'react';

/** Whether the component is on the page, for what ends after it may have left. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}
