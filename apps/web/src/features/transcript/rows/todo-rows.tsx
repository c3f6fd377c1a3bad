import type { TodoEntry } from '@chirality/domain';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { classNames } from '../../../components/class-names';

const LOOKS = {
  pending: { icon: <Circle size={15} />, ink: 'text-faint', word: 'to do' },
  in_progress: { icon: <CircleDot size={15} />, ink: 'text-accent', word: 'in progress' },
  completed: { icon: <CircleCheck size={15} />, ink: 'text-good', word: 'done' },
} as const;

export function TodoList({ items }: { items: readonly TodoEntry[] }) {
  return (
    <ul className="stack gap-1">
      {items.map((item) => {
        const look = LOOKS[item.status];
        return (
          <li key={item.id} className="flex gap-2.5">
            <span role="img" aria-label={look.word} className={classNames('mt-0.5 shrink-0', look.ink)}>
              {look.icon}
            </span>
            <span
              className={classNames(
                'min-w-0 wrap-anywhere',
                item.status === 'completed' && 'text-faint line-through',
                item.status === 'in_progress' && 'font-medium',
              )}
            >
              {item.text}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

export function TodoRow({ items }: { items: readonly TodoEntry[] }) {
  const done = items.filter((item) => item.status === 'completed').length;
  return (
    <section aria-label="Tasks" className="my-1.5 rounded-lg border border-line bg-surface px-3.5 py-3">
      <p className="flex justify-between pb-2 text-sm">
        <span className="font-medium">Tasks</span>
        <span className="text-faint tabular-nums">
          {done} of {items.length}
        </span>
      </p>
      <TodoList items={items} />
    </section>
  );
}
