/**
 * The last characters that passed, kept as the pieces they came in: a piece is added far more often than one is looked
 * at, so nothing is joined before that. Every piece has a character, so `reach` pieces hold `reach` characters.
 */
export class RecentText {
  private readonly pieces: string[];
  private count = 0;

  constructor(private readonly reach: number) {
    this.pieces = new Array<string>(reach).fill('');
  }

  /** Adds a piece that is not empty. */
  add(piece: string): void {
    this.pieces[this.count % this.reach] = piece.length > this.reach ? piece.slice(-this.reach) : piece;
    this.count += 1;
  }

  clear(): void {
    this.count = 0;
  }

  /** The character so many places before the end, 1 being the last; -1 where there is none, or beyond the reach. */
  codeBefore(distance: number): number {
    let left = distance;
    for (let index = this.count - 1; index >= this.oldest(); index -= 1) {
      const piece = this.pieces[index % this.reach] as string;
      if (left <= piece.length) return piece.charCodeAt(piece.length - left);
      left -= piece.length;
    }
    return -1;
  }

  /** Up to `length` characters before the end. */
  last(length: number): string {
    let text = '';
    for (let index = this.count - 1; index >= this.oldest() && text.length < length; index -= 1)
      text = (this.pieces[index % this.reach] as string) + text;
    return length <= 0 ? '' : text.slice(-length);
  }

  private oldest(): number {
    return Math.max(0, this.count - this.reach);
  }
}
