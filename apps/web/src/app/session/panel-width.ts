export const MIN_PANEL_PX = 320;
export const DEFAULT_PANEL_PX = 480;
/** What screen readers are given as the widest; a wider screen allows more. */
export const MAX_PANEL_PX = 1_600;
/** Of the page; the rest stays for the conversation. */
const MAX_SHARE = 0.75;

/** A width for the panel that leaves room for the conversation. */
export function clampPanelWidth(wanted: number, availablePx: number): number {
  return Math.round(Math.max(MIN_PANEL_PX, Math.min(wanted, availablePx * MAX_SHARE)));
}
