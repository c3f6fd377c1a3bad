import { useState, type DragEvent, type ReactNode } from 'react';
import { classNames } from '../../../components/class-names';

const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/** Takes files that are dropped on it; null where none are taken. */
export function DropArea({ onFiles, children }: { onFiles: ((files: File[]) => void) | null; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  if (onFiles === null) return <div className="flex h-full min-h-0 flex-col">{children}</div>;
  return (
    <div
      className={classNames(
        'flex h-full min-h-0 flex-col',
        isOver && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent outline-dashed',
      )}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        // A folder has no bytes to be read; its files can be dropped.
        const items = [...event.dataTransfer.items].filter((item) => item.webkitGetAsEntry()?.isDirectory !== true);
        onFiles(items.flatMap((item) => item.getAsFile() ?? []));
      }}
    >
      {children}
    </div>
  );
}
