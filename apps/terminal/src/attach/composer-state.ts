/** What is being written, and where the next character goes. */
export type Composed = { text: string; caret: number };

export const EMPTY: Composed = { text: '', caret: 0 };

export type Key = {
  leftArrow?: boolean;
  rightArrow?: boolean;
  backspace?: boolean;
  delete?: boolean;
  ctrl?: boolean;
  meta?: boolean;
};

/** Characters that were typed or pasted, without those that a terminal obeys. */
function typed(input: string): string {
  return input.replace(/\r\n?/g, '\n').replace(new RegExp('[\u0000-\u0009\u000b-\u001f\u007f-\u009f]', 'g'), '');
}

function insert({ text, caret }: Composed, added: string): Composed {
  return { text: text.slice(0, caret) + added + text.slice(caret), caret: caret + added.length };
}

/** One character before or behind, whole where it is a pair. */
function step(text: string, caret: number, by: -1 | 1): number {
  const next = caret + by;
  if (next < 0 || next > text.length) return caret;
  const code = text.charCodeAt(next);
  return code >= 0xdc00 && code <= 0xdfff ? next + by : next;
}

/** What a key makes of a text; null where it means nothing to it. */
export function edit(state: Composed, input: string, key: Key): Composed | null {
  const { text, caret } = state;
  if (key.leftArrow) return { text, caret: step(text, caret, -1) };
  if (key.rightArrow) return { text, caret: step(text, caret, 1) };
  // Terminals differ in which of the two the Backspace key is.
  if (key.backspace || key.delete) {
    const from = step(text, caret, -1);
    return { text: text.slice(0, from) + text.slice(caret), caret: from };
  }
  if (key.ctrl) return control(state, input);
  if (key.meta) return null;
  const added = typed(input);
  return added === '' ? null : insert(state, added);
}

function control({ text, caret }: Composed, input: string): Composed | null {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1;
  const nextBreak = text.indexOf('\n', caret);
  const lineEnd = nextBreak < 0 ? text.length : nextBreak;
  switch (input) {
    case 'a':
      return { text, caret: lineStart };
    case 'e':
      return { text, caret: lineEnd };
    case 'u':
      return { text: text.slice(0, lineStart) + text.slice(caret), caret: lineStart };
    case 'k':
      return { text: text.slice(0, caret) + text.slice(lineEnd), caret };
    case 'w': {
      const kept = text.slice(0, caret).replace(/\S+\s*$/, '');
      return { text: kept + text.slice(caret), caret: kept.length };
    }
    case 'j':
      return insert({ text, caret }, '\n');
    default:
      return null;
  }
}
