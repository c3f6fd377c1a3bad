import type { TranscriptRow } from '@chirality/domain';

const CHARACTERS_PER_LINE = 84;
const LINE = 26;

/** A guess at a row's height in pixels, good enough to scroll by until it is measured. */
export function guessRowSize(row: TranscriptRow): number {
  switch (row.kind) {
    case 'message':
      return 76 + Math.min(14, Math.ceil((row.turn.message ?? '').length / CHARACTERS_PER_LINE)) * LINE;
    case 'activity':
    case 'turn-end':
      return 40;
    case 'result-text':
      return 60;
    case 'structured':
      return 40 + Math.min(20, Object.keys(row.value).length) * 22;
    case 'item': {
      const { item } = row;
      if (item.type === 'text') return 12 + Math.max(1, Math.ceil(item.text.length / CHARACTERS_PER_LINE)) * LINE;
      if (item.type === 'todo') return 70 + item.items.length * 26;
      return 34;
    }
  }
}
