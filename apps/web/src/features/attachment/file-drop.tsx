import { Paperclip } from 'lucide-react';
import { useEffect, useState } from 'react';

/** While it is shown, files that are dropped anywhere on the page are taken. Without it the browser would open them. */
export function FileDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const settle = (next: number) => {
      depth = next;
      setOver(next > 0);
    };
    const onEnter = (event: DragEvent) => hasFiles(event) && settle(depth + 1);
    const onLeave = (event: DragEvent) => hasFiles(event) && settle(Math.max(0, depth - 1));
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      settle(0);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, [onFiles]);
  if (!isOver) return null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center gap-2 rounded-xl border-2 border-dashed border-accent bg-surface/90 text-lg font-semibold"
    >
      <Paperclip size={20} /> Drop files to attach them
    </div>
  );
}
