import type { QueueItem } from '@chirality/contracts';
import { ArrowDown, ArrowUp, EllipsisVertical, Paperclip, Pencil, SendHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem } from '../../../components/overlay/menu';
import { NameText, UntrustedText } from '../../../components/text/untrusted-text';
import { Button } from '../../../components/ui/button';
import { IconButton } from '../../../components/ui/icon-button';
import type { QueueAct } from '../queue-item.api';

type Props = {
  item: QueueItem;
  /** Ids in their order. */
  order: readonly string[];
  isMine: boolean;
  mayWrite: boolean;
  mayRemove: boolean;
  isBusy: boolean;
  /** Answers whether it was done. */
  onAct: (act: QueueAct) => Promise<boolean>;
};

function EditForm({ item, onDone, onAct }: Pick<Props, 'item' | 'onAct'> & { onDone: () => void }) {
  const [message, setMessage] = useState(item.message);
  const save = async () => {
    if (message === item.message || (await onAct({ act: 'edit', itemId: item.id, message }))) onDone();
  };
  return (
    <div className="flex-1">
      <textarea
        autoFocus
        aria-label="Queued message"
        value={message}
        rows={3}
        onChange={(event) => setMessage(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Escape stops the turn elsewhere.
          event.stopPropagation();
          event.nativeEvent.stopImmediatePropagation();
          onDone();
        }}
        className="w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-base"
      />
      <div className="flex justify-end gap-2 pt-1">
        <Button size="small" variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button size="small" variant="primary" disabled={message.trim() === ''} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** One message that waits, with what its reader may do to it. */
export function QueueRow({ item, order, isMine, mayWrite, mayRemove, isBusy, onAct }: Props) {
  const [isEditing, setEditing] = useState(false);
  const at = order.indexOf(item.id);
  const name = isMine ? 'you' : item.author.name;
  const label = `message ${at + 1} of ${name}`;
  const move = (after: string | null) => void onAct({ act: 'move', itemId: item.id, after });
  return (
    <li className="flex items-start gap-2 py-1 ps-3 pe-1">
      <span aria-hidden="true" className="w-4 shrink-0 pt-1.5 text-end text-xs text-faint tabular-nums">
        {at + 1}
      </span>
      {isEditing ? (
        <EditForm item={item} onAct={onAct} onDone={() => setEditing(false)} />
      ) : (
        <div className="min-w-0 flex-1 pt-1">
          <p className="line-clamp-2 text-sm break-words text-text">
            <span className="font-medium text-muted">{isMine ? 'You' : <NameText text={item.author.name} />}</span>{' '}
            <UntrustedText text={item.message.slice(0, 300).toWellFormed()} mode="prose" />
          </p>
          {item.attachments.length > 0 && (
            <p className="flex items-center gap-1 text-xs text-faint">
              <Paperclip size={11} aria-hidden="true" />
              {item.attachments.length === 1 ? '1 file' : `${item.attachments.length} files`}
            </p>
          )}
        </div>
      )}
      {mayWrite && !isEditing && (
        <div className="flex shrink-0 items-center">
          <IconButton
            label={`Send now: ${label}`}
            disabled={isBusy || item.urgent}
            onClick={() => void onAct({ act: 'send', itemId: item.id })}
          >
            <SendHorizontal size={15} aria-hidden="true" />
          </IconButton>
          <Menu
            trigger={
              <IconButton label={`More for ${label}`}>
                <EllipsisVertical size={15} aria-hidden="true" />
              </IconButton>
            }
          >
            {isMine && (
              <MenuItem icon={<Pencil size={14} />} onSelect={() => setTimeout(() => setEditing(true))}>
                Edit
              </MenuItem>
            )}
            <MenuItem icon={<ArrowUp size={14} />} disabled={at === 0} onSelect={() => move(order[at - 2] ?? null)}>
              Move up
            </MenuItem>
            <MenuItem
              icon={<ArrowDown size={14} />}
              disabled={at === order.length - 1}
              onSelect={() => move(order[at + 1] ?? null)}
            >
              Move down
            </MenuItem>
            {mayRemove && (
              <MenuItem
                danger
                icon={<Trash2 size={14} />}
                onSelect={() => void onAct({ act: 'remove', itemId: item.id })}
              >
                Remove
              </MenuItem>
            )}
          </Menu>
        </div>
      )}
    </li>
  );
}
