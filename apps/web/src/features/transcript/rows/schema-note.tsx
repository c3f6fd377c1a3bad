import type { OutputSchema } from '@chirality/contracts';
import { Braces, ChevronRight } from 'lucide-react';
import { JsonTree } from '../../../components/json/json-tree';
import { useOpenRow } from '../reading-context';

/** That the answer to a message has to be JSON, and by what schema. */
export function SchemaNote({ schema, rowKey }: { schema: OutputSchema; rowKey: string }) {
  const [isOpen, toggle] = useOpenRow(`${rowKey}/schema`);
  return (
    <div className="stack gap-1.5 pt-1.5">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="inline-flex items-center gap-1.5 self-start rounded-sm text-xs text-muted hover:text-text"
      >
        <Braces size={13} aria-hidden="true" /> Asked for JSON
        <ChevronRight size={13} aria-hidden="true" className={isOpen ? 'rotate-90' : ''} />
      </button>
      {isOpen && <JsonTree value={schema} label="the schema of the answer" />}
    </div>
  );
}
