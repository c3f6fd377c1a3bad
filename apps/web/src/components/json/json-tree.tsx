import { ChevronRight } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { copyText } from '../../lib/page/copy-text';
import { classNames } from '../class-names';
import { CopyButton } from '../ui/copy-button';
import { UntrustedText } from '../text/untrusted-text';
import { jsonMove, jsonNodes, jsonSummary, type JsonChoices, type JsonNode } from './json-nodes';

const written = (value: unknown) => JSON.stringify(value, null, 2);

function toneOf(value: unknown): string {
  if (typeof value === 'string') return 'text-good';
  return typeof value === 'object' && value !== null ? 'text-faint' : 'text-accent';
}

/**
 * A JSON value as a tree. The arrow keys walk and unfold it, Enter unfolds, and Ctrl+C copies the value of the line
 * that has the focus, unless something is selected.
 */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const [choices, setChoices] = useState<JsonChoices>({ isOpen: new Map(), shown: new Set() });
  const [current, setCurrent] = useState('');
  const tree = useRef<HTMLUListElement>(null);
  const nodes = jsonNodes(value, choices);
  const at = Math.max(
    0,
    nodes.findIndex(({ path }) => path === current),
  );

  const open = (path: string, isOpen: boolean) =>
    setChoices((before) => ({ ...before, isOpen: new Map(before.isOpen).set(path, isOpen) }));
  const showAll = (path: string) => setChoices((before) => ({ ...before, shown: new Set(before.shown).add(path) }));
  const focus = (index: number) => {
    setCurrent(nodes[index]?.path ?? '');
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey)) {
      if (window.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      void copyText(written(nodes[at]?.value));
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = jsonMove(nodes, at, event.key);
    if (move === null) return;
    event.preventDefault();
    if ('focus' in move) focus(move.focus);
    else open(nodes[at]?.path ?? '', move.open);
  };

  return (
    <div className="relative rounded-lg border border-line bg-surface">
      <CopyButton text={() => written(value)} label={`Copy ${label} as JSON`} className="absolute end-1 top-1 z-10" />
      <ul
        ref={tree}
        role="tree"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="scroll-edges max-h-[60vh] overflow-auto rounded-lg py-2 ps-2 pe-10 font-mono text-sm"
      >
        {nodes.map((node, index) => (
          <JsonLine
            key={node.path}
            node={node}
            isCurrent={index === at}
            onFocus={() => setCurrent(node.path)}
            onToggle={() => open(node.path, node.isOpen === false)}
            onShowAll={() => showAll(node.path)}
          />
        ))}
      </ul>
    </div>
  );
}

type LineProps = {
  node: JsonNode;
  isCurrent: boolean;
  onFocus: () => void;
  onToggle: () => void;
  onShowAll: () => void;
};

function JsonLine({ node, isCurrent, onFocus, onToggle, onShowAll }: LineProps) {
  const { name, level, value, isOpen, hidden } = node;
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onClick={isOpen === null ? undefined : onToggle}
      style={{ paddingInlineStart: `${(level - 1) * 1.1}rem` }}
      className={classNames(
        'flex items-start gap-1 rounded-sm py-px pe-1',
        isOpen !== null && 'cursor-pointer hover:bg-hover',
      )}
    >
      <ChevronRight
        size={14}
        aria-hidden="true"
        className={classNames(
          'mt-0.5 shrink-0 text-faint transition-transform',
          isOpen === null && 'invisible',
          isOpen === true && 'rotate-90',
        )}
      />
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
        {name !== null && (
          <span className="text-muted">
            <UntrustedText text={name} mode="prose" />:{' '}
          </span>
        )}
        {isOpen !== true && (
          <span className={toneOf(value)}>
            <UntrustedText text={jsonSummary(value)} mode="prose" />
          </span>
        )}
        {isOpen === true && <span className="text-faint">{Array.isArray(value) ? '[ ]' : '{ }'}</span>}
        {hidden > 0 && (
          <button
            type="button"
            tabIndex={isCurrent ? 0 : -1}
            onClick={(event) => {
              event.stopPropagation();
              onShowAll();
            }}
            className="ms-2 rounded-sm font-sans text-accent hover:underline"
          >
            Show {hidden} more
          </button>
        )}
      </span>
    </li>
  );
}
