import type { ExportedTurn, SessionHeading } from './session-parts';

/** How an exported session is written for people. Every function gives the next pieces of the file. */
export interface ExportForm {
  mediaType: string;
  extension: string;
  begin(heading: SessionHeading): string;
  turn(turn: ExportedTurn): Iterable<string> | AsyncIterable<string>;
  end(): string;
}
