import { useEffect, useState } from 'react';

/** An address of a blob, for as long as it is shown. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [shown, setShown] = useState<{ blob: Blob; url: string } | null>(null);
  useEffect(() => {
    if (blob === null) return;
    let url: string | null = null;
    // One that is gone again at once needs none.
    const frame = requestAnimationFrame(() => {
      url = URL.createObjectURL(blob);
      setShown({ blob, url });
    });
    return () => {
      cancelAnimationFrame(frame);
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [blob]);
  return shown !== null && shown.blob === blob ? shown.url : null;
}
