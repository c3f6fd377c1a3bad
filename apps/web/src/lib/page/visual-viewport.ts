/** What of the page is seen while a keyboard is on the screen. */
type SeenArea = { heightPx: number; topPx: number };

type Viewport = { height: number; offsetTop: number; scale: number };

/** Less than any keyboard: a browser's own bars come and go as well. */
const MIN_KEYBOARD_PX = 120;

/** Null where all of the page is seen, or where it is enlarged by two fingers: then it is the reader who moves it. */
export function seenArea({ height, offsetTop, scale }: Viewport, pageHeightPx: number): SeenArea | null {
  if (Math.abs(scale - 1) > 0.01 || pageHeightPx - height < MIN_KEYBOARD_PX) return null;
  return { heightPx: Math.round(height), topPx: Math.round(offsetTop) };
}

/**
 * Keeps the page within what is seen while a keyboard is on the screen. iOS lays the keyboard over the page and moves
 * the page under it, whatever unit its height has; others resize the page themselves, and nothing is done there.
 */
export function followVisualViewport(): void {
  const viewport = window.visualViewport;
  if (viewport === null) return;
  const { style } = document.documentElement;
  let wasOpen = false;
  const follow = () => {
    const area = seenArea(viewport, window.innerHeight);
    if (area === null) {
      style.removeProperty('--seen-height');
      style.removeProperty('--seen-top');
      style.removeProperty('--keyboard');
      if (wasOpen) window.scrollTo(0, 0);
    } else {
      style.setProperty('--seen-height', `${area.heightPx}px`);
      style.setProperty('--seen-top', `${area.topPx}px`);
      style.setProperty('--keyboard', `${Math.max(0, window.innerHeight - area.heightPx - area.topPx)}px`);
      if (!wasOpen) document.activeElement?.scrollIntoView({ block: 'nearest' });
    }
    wasOpen = area !== null;
  };
  viewport.addEventListener('resize', follow);
  viewport.addEventListener('scroll', follow);
}
