import { useState } from 'react';
import { FileTree } from './file-tree';
import { FileView } from './file-view';

export function FilesTab({ sessionId, revision }: { sessionId: string; revision: number }) {
  const [path, setPath] = useState<string | null>(null);
  if (path !== null) return <FileView sessionId={sessionId} path={path} revision={revision} onBack={() => setPath(null)} />;
  return (
    <div className="h-full overflow-y-auto p-2">
      <FileTree sessionId={sessionId} path="" depth={0} revision={revision} onFile={setPath} />
    </div>
  );
}
