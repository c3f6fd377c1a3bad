/**
 * A directive tells the scripted model what to answer; a message may hold several. Syntax:
 *
 *     [[name]]   [[name bare words]]   [[name key=value key="quoted value"]]   [[name {"any":"json"}]]
 *
 * Words, `key=value` and JSON may be mixed in one directive; `[[text "…"]]` takes a JSON string where the text holds
 * `=`, `]]` or line breaks. Directives one after the other are steps: the first request after the message gets the first,
 * the request that brings the results of tools gets the next, and so on; after the last one the answer is "Done.".
 * Directives joined by `&`, as in `[[thinking Hm]]&[[tool Bash {"command":"ls"}]]`, are one answer together.
 *
 *     text WORDS                    streams the text                          delay=ms chunk=characters by=word
 *     slow words=50 delay=200       that many words, so far apart
 *     long chars=50000              a long answer in markdown
 *     burst 3000                    so many deltas without a pause            text="word "
 *     unicode                       emoji, CJK, right-to-left; the network writes split inside characters
 *     thinking WORDS                a block of thinking
 *     redacted                      a block of redacted thinking
 *     tool NAME {input}             one use of a tool                         id=toolu_x
 *     tools [["NAME",{input}],…]    several at once
 *     usage input=1 output=2        with what usage; also cache_read, cache_write, cache_write_5m, cache_write_1h, searches
 *     stop max_tokens               with another reason to stop: end_turn, max_tokens, refusal, pause_turn, tool_use
 *     model NAME                    with another model's name
 *     max_tokens WORDS · refusal WORDS · pause_turn WORDS · empty
 *     error 529                     an HTTP error                             type=… message=… retry_after=seconds times=N
 *     too_long                      the 400 of a prompt that is too long
 *     cut · stall · sse_error       after so many deltas the connection is cut, falls silent, or carries an error; after=3 times=N
 *     cut on=NAME                   falls silent after so many deltas, until the test that started the model calls `cut(NAME)`
 *     cut_early · refused · hang · garbage · html        no answer, or none that could be read                        times=N
 *
 * `times=N`: only the first N requests that reach the step get it, then the next step takes its place.
 */
export type Directive = {
  name: string;
  /** Words that are neither JSON nor `key=value`, joined by one space, and JSON strings. */
  words: string;
  options: Readonly<Record<string, string>>;
  json: unknown;
};

/** The steps of a text; each is the directives that make up one answer. */
export function parseDirectives(text: string): Directive[][] {
  const steps: Directive[][] = [];
  let at = 0;
  let lastEnd = -1;
  for (;;) {
    const start = text.indexOf('[[', at);
    if (start < 0) return steps;
    const read = readDirective(text, start + 2);
    if (!read) {
      at = start + 2;
      continue;
    }
    const joins = lastEnd >= 0 && text.slice(lastEnd, start) === '&';
    if (joins) steps.at(-1)?.push(read.directive);
    else steps.push([read.directive]);
    at = lastEnd = read.end;
  }
}

const NAME = /^\s*([a-z][a-z0-9_]*)/;
const OPTION = /^([a-z][a-z0-9_]*)=("(?:[^"\\]|\\.)*"|[^\s\]]+)/;
const JSON_STRING = /^"(?:[^"\\]|\\.)*"/;

function readDirective(text: string, from: number): { directive: Directive; end: number } | null {
  const name = NAME.exec(text.slice(from, from + 40));
  if (!name?.[1]) return null;
  const words: string[] = [];
  const options: Record<string, string> = {};
  let json: unknown;
  let at = from + name[0].length;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    if (at >= text.length) return null;
    if (text.startsWith(']]', at))
      return { directive: { name: name[1], words: words.join(' '), options, json }, end: at + 2 };
    const rest = text.slice(at);
    const option = OPTION.exec(rest);
    const quoted = JSON_STRING.exec(rest);
    const jsonEnd = rest.startsWith('{') || rest.startsWith('[') ? endOfJson(rest) : 0;
    if (option?.[1] && option[2] !== undefined) {
      options[option[1]] = option[2].startsWith('"') ? unquoted(option[2]) : option[2];
      at += option[0].length;
    } else if (quoted) {
      words.push(unquoted(quoted[0]));
      at += quoted[0].length;
    } else if (jsonEnd > 0) {
      json = parsed(rest.slice(0, jsonEnd));
      if (json === undefined) return null;
      at += jsonEnd;
    } else {
      const word = /^(?:(?!\]\])\S)+/.exec(rest)?.[0] ?? rest.charAt(0);
      words.push(word);
      at += word.length;
    }
  }
}

/** The length of the JSON object or array that `text` starts with; 0 when it is not closed. */
function endOfJson(text: string): number {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return 0;
}

function unquoted(text: string): string {
  const value = parsed(text);
  return typeof value === 'string' ? value : text.slice(1, -1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
