import type { PermissionItem, TranscriptState } from '@chirality/domain';
import { useCallback, useEffect, useRef, type KeyboardEvent } from 'react';
import { Keycap } from '../../../components/ui/keycap';
import { focusComposer } from '../../../lib/keyboard/focus-composer';
import { MODIFIER, useShortcut } from '../../../lib/keyboard/use-shortcut';
import type { Asked } from './answer-book';
import { useAnswerBooks } from './answer-books';
import { useAnswer } from './use-answer';
import { usePressGuard } from './use-press-guard';
import { useSettled } from './use-settled';
import { CardGuard } from './card-parts';
import { PlanCard } from './plan-card';
import { PushCard } from './push-card';
import { QuestionCard } from './question-card';
import { ToolCard } from './tool-card';

type Props = {
  sessionId: string;
  title: string;
  myId: string;
  state: TranscriptState;
  open: PermissionItem[];
  isLive: boolean;
  mayAnswer: boolean;
};

const CARD_KEY = 'j';

/**
 * The oldest open request, between the conversation and the composer; it never takes the keyboard away from who types.
 */
export function PermissionDock({ sessionId, title, myId, state, open, isLive, mayAnswer }: Props) {
  useSettled(useAnswerBooks()(myId), sessionId, title, state, open);
  const item = open[0];
  const isInside = useRef(false);
  const dock = useRef<HTMLDivElement>(null);
  const card = useCallback(() => dock.current?.querySelector<HTMLElement>('[data-card]') ?? null, []);
  useShortcut(
    CARD_KEY,
    useCallback(() => card()?.focus(), [card]),
  );
  // The keyboard stays where the work is when what had it is replaced: at the card or the next, else at the message.
  // On the page itself, Escape would stop the turn. Chromium reports no blur for what is removed.
  useEffect(() => {
    const keep = () => {
      if (!isInside.current || (document.activeElement !== document.body && document.activeElement !== null)) return;
      const next = card();
      if (next !== null) next.focus();
      else {
        isInside.current = false;
        focusComposer();
      }
    };
    const observer = new MutationObserver(keep);
    if (dock.current !== null) observer.observe(dock.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [card]);
  return (
    // On a small screen, or with large text, it gives way to the message field: its body scrolls, the answers stay.
    <div
      ref={dock}
      className="flex min-h-0 shrink flex-col"
      onFocus={() => {
        isInside.current = true;
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null) isInside.current = event.currentTarget.contains(event.relatedTarget);
      }}
      onPointerDown={() => {
        isInside.current = true;
      }}
    >
      {item !== undefined && (
        <DockedCard
          key={item.permissionId}
          asked={{ sessionId, sessionTitle: title, permissionId: item.permissionId, kind: item.kind }}
          myId={myId}
          item={item}
          count={open.length}
          isLive={isLive}
          mayAnswer={mayAnswer}
          cwd={state.init?.cwd ?? null}
        />
      )}
    </div>
  );
}

/** Keys of the answers, while the card has the keyboard and nothing is being written. */
function pressByKey(event: KeyboardEvent<HTMLElement>) {
  if (
    event.repeat ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.target instanceof HTMLInputElement ||
    event.target instanceof HTMLTextAreaElement
  )
    return;
  const button = event.currentTarget.querySelector<HTMLButtonElement>(
    `button[data-key="${CSS.escape(event.key.toUpperCase())}"]`,
  );
  if (button === null || button.disabled) return;
  event.preventDefault();
  button.click();
}

type CardProps = {
  asked: Asked;
  myId: string;
  item: PermissionItem;
  count: number;
  isLive: boolean;
  mayAnswer: boolean;
  cwd: string | null;
};

function DockedCard({ asked, myId, item, count, isLive, mayAnswer, cwd }: CardProps) {
  const ref = useRef<HTMLElement>(null);
  const guarded = usePressGuard(ref);
  const answer = useAnswer(asked, myId);
  const card = { item, answer, mayAnswer };
  return (
    <section
      ref={ref}
      data-card
      tabIndex={-1}
      aria-label="Claude waits for an answer"
      onKeyDown={pressByKey}
      className="group/card column flex min-h-0 animate-appear flex-col pb-2 outline-none"
    >
      <div className="flex min-h-0 flex-col overflow-hidden rounded-lg border border-warn/50 bg-surface shadow-card group-focus-visible/card:outline-2 group-focus-visible/card:outline-accent">
        <p className="flex shrink-0 items-center justify-between gap-3 border-b border-line px-4 py-1 text-xs text-faint short:hidden">
          <span>{count > 1 ? `1 of ${count} requests that wait` : 'Waiting for an answer'}</span>
          <span className="flex items-center gap-1 pointer-coarse:hidden">
            Answer with the keyboard:{' '}
            <span className="text-text">
              <Keycap>{`${MODIFIER} ${CARD_KEY.toUpperCase()}`}</Keycap>
            </span>
          </span>
        </p>
        <CardGuard value={guarded}>
          {item.kind === 'question' ? (
            <QuestionCard {...card} />
          ) : item.kind === 'plan' ? (
            <PlanCard {...card} />
          ) : item.proposal !== null ? (
            <PushCard {...card} proposal={item.proposal} />
          ) : (
            <ToolCard {...card} cwd={cwd} />
          )}
        </CardGuard>
        {guarded.wasStopped && (
          <p role="status" className="shrink-0 border-t border-line px-4 py-1.5 text-sm text-warn">
            This request has just come, so nothing was answered. Read it, then answer.
          </p>
        )}
        {answer.settled !== null ? (
          <p role="status" className="shrink-0 border-t border-line px-4 py-1.5 text-sm text-muted">
            {answer.settled}
          </p>
        ) : (
          !isLive && (
            <p className="shrink-0 border-t border-line px-4 py-1.5 text-sm text-muted">
              Reconnecting. Your answer counts all the same, unless someone else was faster.
            </p>
          )
        )}
      </div>
    </section>
  );
}
