const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*\S/;

type MarkdownBlocks = {
  /** Blocks that later text cannot change, whatever it is. */
  settled: readonly string[];
  /** The last block, which is still growing; empty when there is none. */
  growing: string;
  /** Link definitions, which blocks before and after them may use. */
  definitions: readonly string[];
};

/**
 * Splits markdown into its top-level blocks while it streams. Each call looks only at what is new since the last
 * settled block, and settled blocks keep their identity, so a long answer costs its length once.
 */
export class BlockSplitter {
  private text = '';
  private settledEnd = 0;
  private settled: string[] = [];
  private definitions: string[] = [];

  /** The blocks of `text`. Made for text that grows; any other text is split again. */
  split(text: string): MarkdownBlocks {
    if (text.length < this.text.length || !text.startsWith(this.text)) this.forget();
    this.text = text;
    const growingDefinitions = this.settle();
    const definitions =
      growingDefinitions.length === 0 ? this.definitions : [...this.definitions, ...growingDefinitions];
    return { settled: this.settled, growing: text.slice(this.settledEnd), definitions };
  }

  private forget(): void {
    this.settledEnd = 0;
    this.settled = [];
    this.definitions = [];
  }

  /** Moves what is settled by now; answers the definitions of the block that still grows. */
  private settle(): string[] {
    const { text } = this;
    const found: string[] = [];
    const foundDefinitions: { at: number; line: string }[] = [];
    let blockStart = this.settledEnd;
    let at = blockStart;
    let fence: string | null = null;
    let isList = false;
    let isBlank = true;
    let afterBlank = false;

    while (at < text.length) {
      const lineEnd = text.indexOf('\n', at);
      const isWhole = lineEnd !== -1;
      const line = text.slice(at, isWhole ? lineEnd : text.length);
      const isEmpty = line.trim() === '';

      if (
        fence === null &&
        afterBlank &&
        !isBlank &&
        !isEmpty &&
        (isWhole || !couldContinue(line)) &&
        !continues(line, isList)
      ) {
        found.push(text.slice(blockStart, at));
        blockStart = at;
        isBlank = true;
        isList = false;
      }
      const marker = FENCE.exec(line);
      if (fence !== null) {
        if (isWhole && marker !== null && marker[1]!.startsWith(fence) && marker[2]!.trim() === '') fence = null;
      } else if (marker !== null && !(marker[1]!.startsWith('`') && marker[2]!.includes('`'))) {
        fence = marker[1]!;
      } else if (isBlank && !isEmpty) isList = LIST_ITEM.test(line);

      if (fence === null && DEFINITION.test(line)) foundDefinitions.push({ at, line });
      if (!isEmpty) isBlank = false;
      afterBlank = isEmpty && fence === null;
      at = isWhole ? lineEnd + 1 : text.length;
    }
    const settledDefinitions = foundDefinitions
      .filter((definition) => definition.at < blockStart)
      .map(({ line }) => line);
    if (found.length > 0) this.settled = [...this.settled, ...found];
    if (settledDefinitions.length > 0) this.definitions = [...this.definitions, ...settledDefinitions];
    this.settledEnd = blockStart;
    return foundDefinitions.filter((definition) => definition.at >= blockStart).map(({ line }) => line);
  }
}

/** After a blank line: the line still belongs to the block above it. */
function continues(line: string, isList: boolean): boolean {
  return INDENTED.test(line) || (isList && LIST_ITEM.test(line));
}

/** A line without its end may yet become a list item or an indented line. */
function couldContinue(line: string): boolean {
  return /^\s*(?:[-*+]|\d{1,9}[.)]?)?$/.test(line);
}
