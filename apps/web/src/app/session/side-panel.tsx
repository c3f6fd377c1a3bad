import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { localStore } from '../../lib/state/storage';
import { clampPanelWidth, DEFAULT_PANEL_PX, MAX_PANEL_PX, MIN_PANEL_PX } from './panel-width';

const STORE_KEY = 'chirality.panel-width';
const STEP_PX = 24;

function storedWidth(): number {
  const stored = Number(localStore.get(STORE_KEY));
  return Number.isFinite(stored) && stored >= MIN_PANEL_PX ? stored : DEFAULT_PANEL_PX;
}

/** Whether the panel covers the conversation. */
export type FullWidth = { isFull: boolean; toggle: () => void };

/**
 * The panel beside the conversation. Its width is this browser's: dragged, or changed with the arrow keys. A double
 * click takes the whole width and gives it back.
 */
export function SidePanel({ children }: { children: (full: FullWidth) => ReactNode }) {
  const [isFull, setFull] = useState(false);
  const [width, setWidth] = useState(storedWidth);
  const panelRef = useRef<HTMLElement>(null);
  const available = () => panelRef.current?.parentElement?.clientWidth ?? window.innerWidth;
  const isEnd = (): boolean => getComputedStyle(document.documentElement).direction !== 'rtl';
  const resize = (next: number) => {
    const clamped = clampPanelWidth(next, available());
    setWidth(clamped);
    localStore.set(STORE_KEY, String(clamped));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const panel = panelRef.current;
    if (panel === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = panel.getBoundingClientRect();
    resize(isEnd() ? box.right - event.clientX : event.clientX - box.left);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const wider = isEnd() ? 'ArrowLeft' : 'ArrowRight';
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    resize(width + (event.key === wider ? STEP_PX : -STEP_PX));
  };
  return (
    <aside
      ref={panelRef}
      aria-label="Workspace"
      style={isFull ? {} : { width, maxWidth: '75%' }}
      className={
        isFull ? 'absolute inset-0 z-20 bg-canvas' : 'relative shrink-0 border-s border-line max-[70rem]:hidden'
      }
    >
      {!isFull && (
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label="Width of the panel"
          aria-valuenow={width}
          aria-valuemin={MIN_PANEL_PX}
          aria-valuemax={Math.max(width, MAX_PANEL_PX)}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
          onKeyDown={onKeyDown}
          onDoubleClick={() => resize(width > DEFAULT_PANEL_PX ? DEFAULT_PANEL_PX : Infinity)}
          className="absolute inset-y-0 -start-1 z-10 w-2 cursor-col-resize touch-none hover:bg-line-strong focus-visible:bg-accent"
        />
      )}
      {children({ isFull, toggle: () => setFull(!isFull) })}
    </aside>
  );
}
