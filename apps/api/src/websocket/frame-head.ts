const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d];
const COLON = 0x3a;
/** A name or value longer than this is none that a frame's head has. */
const MAX_SCALAR_BYTES = 400;

type FrameHead = { frame?: string; command?: string; id?: string | number };

/**
 * What a frame is, as its outermost members say, without anything made of the rest: for frames that may be too large,
 * or too many, to be parsed. Of what is not JSON, anything may be read.
 */
export function headOfFrame(data: Buffer): FrameHead {
  const found: Record<string, unknown> = {};
  let depth = 0;
  for (let at = 0; at < data.length; at += 1) {
    const byte = data[at] as number;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfString(data, at);
      const colon = depth === 1 ? afterSpace(data, end) : -1;
      const start = data[colon] === COLON ? afterSpace(data, colon + 1) : -1;
      if (start !== -1) {
        const name = scalarOf(data, at, end);
        if (name === 'frame' || name === 'command' || name === 'id') found[name] = scalarAt(data, start);
      }
      at = end - 1;
    }
  }
  const { frame, command, id } = found;
  return {
    ...(typeof frame === 'string' && { frame }),
    ...(typeof command === 'string' && { command }),
    ...(((typeof id === 'string' && id.length <= 100) || typeof id === 'number') && { id }),
  };
}

/** Behind the closing quote of the string that begins at `from`. */
function endOfString(data: Buffer, from: number): number {
  for (let at = from + 1; ;) {
    const quote = data.indexOf(QUOTE, at);
    if (quote === -1) return data.length;
    let before = quote - 1;
    while (before > from && data[before] === BACKSLASH) before -= 1;
    if ((quote - 1 - before) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function afterSpace(data: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    const byte = data[at];
    if (byte !== SPACE && byte !== TAB && byte !== LINE_FEED && byte !== RETURN) return at;
  }
}

function scalarAt(data: Buffer, start: number): unknown {
  if (data[start] === QUOTE) return scalarOf(data, start, endOfString(data, start));
  let end = start;
  while (end - start < MAX_SCALAR_BYTES && /[-+.\deE]/.test(String.fromCharCode(data[end] ?? 0))) end += 1;
  return scalarOf(data, start, end);
}

function scalarOf(data: Buffer, start: number, end: number): unknown {
  if (end - start > MAX_SCALAR_BYTES) return undefined;
  try {
    return JSON.parse(data.toString('utf8', start, end)) as unknown;
  } catch {
    return undefined;
  }
}
