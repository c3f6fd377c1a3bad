import type { Price } from '@chirality/contracts';

/** US dollars per million tokens (per search for `webSearch`). */
export const DEFAULT_PRICES: readonly Price[] = [];
