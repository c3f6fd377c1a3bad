import {
  useId,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useMedia } from '../../../lib/page/use-media';
import { useObservable } from '../../../lib/state/use-observable';
import type { Draft } from '../../../lib/message/draft';
import { aroundMarks } from '../../../lib/message/mark-selection';
import { marksIn, MAX_PLAIN_PASTE, messageOf, withoutMarks, type Words } from '../../../lib/message/pasted-text';
import { useFittedHeight } from '../hooks/use-fitted-height';
import { PastedTexts } from './pasted-texts';

type Props = {
  draft: Draft;
  words: Words;
  /** Why it cannot be sent. */
  problem: string | null;
  areaRef: RefObject<HTMLTextAreaElement | null>;
  id?: string;
  label: string;
  placeholder: string;
  rows: number;
  onTyped?: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  /** Takes files that are pasted. */
  onFiles?: (files: File[]) => void;
};

/** Measuring a text lays all of it out: beyond this the field has its full height anyway. */
const MEASURED_CHARACTERS = 5_000;

/** Writes into the field at its selection so that the browser can undo it. */
function insertText(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  const isDone = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (isDone) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The text field of a message, with the long texts that were pasted into it below. */
export function MessageField({
  draft,
  words,
  problem,
  areaRef,
  id,
  label,
  placeholder,
  rows,
  onTyped,
  onKeyDown,
  onFiles,
}: Props) {
  const ids = useId();
  const { text } = words;
  const isKept = useObservable(draft.isKept);
  const isOwnDrag = useRef(false);
  const isTouch = useMedia('(pointer: coarse)');
  const isLong = text.length > MEASURED_CHARACTERS;

  useFittedHeight(areaRef, text, isLong);

  // A draft that was left here is continued: the caret stands behind it.
  useLayoutEffect(() => {
    const area = areaRef.current;
    if (area === null) return;
    area.setSelectionRange(area.value.length, area.value.length);
    area.scrollTop = area.scrollHeight;
  }, [draft, areaRef]);

  const selectAroundMarks = (area: HTMLTextAreaElement, key: string) => {
    const whole = aroundMarks(words, { start: area.selectionStart, end: area.selectionEnd }, key);
    if (whole !== null) area.setSelectionRange(whole.start, whole.end);
  };
  const takeIn = (event: ClipboardEvent<HTMLTextAreaElement> | DragEvent<HTMLTextAreaElement>, data: DataTransfer) => {
    selectAroundMarks(event.currentTarget, 'Paste');
    const content = data.getData('text/plain');
    const isFolded = content.length > MAX_PLAIN_PASTE;
    const plain = isFolded ? '' : withoutMarks(content);
    if (plain === content) return;
    event.preventDefault();
    insertText(event.currentTarget, isFolded ? draft.paste(content) : plain);
  };
  /** What is copied is the text that a mark stands for. */
  const copy = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const area = event.currentTarget;
    selectAroundMarks(area, 'Paste');
    const selected = { ...words, text: area.value.slice(area.selectionStart, area.selectionEnd) };
    if (marksIn(selected).length === 0) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', messageOf(selected).message);
    if (event.type === 'cut') insertText(area, '');
  };
  return (
    <>
      <textarea
        ref={areaRef}
        id={id}
        dir="auto"
        rows={rows}
        value={text}
        wrap={isLong && !text.includes('\n') && text.length > 200_000 ? 'off' : 'soft'}
        onChange={(event) => {
          draft.write(event.target.value);
          if (event.target.value !== '') onTyped?.();
        }}
        onKeyDown={(event) => {
          onKeyDown(event);
          if (!event.defaultPrevented && !event.nativeEvent.isComposing)
            selectAroundMarks(event.currentTarget, event.key);
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          // A program may copy a picture of its text beside the text, which is what is meant then.
          const isFiles = files.length > 0 && event.clipboardData.getData('text/plain') === '';
          if (!isFiles || onFiles === undefined) return takeIn(event, event.clipboardData);
          event.preventDefault();
          onFiles(files);
        }}
        onDragStart={() => (isOwnDrag.current = true)}
        onDragEnd={() => (isOwnDrag.current = false)}
        // What is moved within the field keeps its marks.
        onDrop={(event) => !isOwnDrag.current && takeIn(event, event.dataTransfer)}
        onCopy={copy}
        onCut={copy}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : `${ids}-problem`}
        placeholder={placeholder}
        spellCheck={!isLong}
        className={`block max-h-[min(20rem,30dvh)] w-full resize-none bg-transparent px-4 pt-3 pb-1 text-read outline-none ${isLong ? 'h-80' : ''}`}
      />
      <PastedTexts draft={draft} words={words} onDone={() => !isTouch && areaRef.current?.focus()} />
      {problem !== null && (
        <p id={`${ids}-problem`} role="alert" className="px-4 pb-1 text-sm text-bad">
          {problem}
        </p>
      )}
      {!isKept && (
        <p role="status" className="px-4 pb-1 text-sm text-warn">
          Your browser has no room to keep this text. It is lost if you close or reload this page before you send it.
        </p>
      )}
    </>
  );
}
