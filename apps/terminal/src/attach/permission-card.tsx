import type { PermissionItem } from '@chirality/domain';
import { Box } from 'ink';
import { safe } from '../text/safe-text';
import type { Line } from '../transcript/line';
import { choicesOf, headlineOf, isOffered } from './choices';
import { LinesView } from './lines-view';
import { Words } from './words';

/** What of a request is on the screen: the lines from `top` on. */
export type CardPage = { lines: readonly Line[]; top: number; room: number; isRead: boolean };

/** How many lines of a request fit between what else is drawn with it. */
export function roomFor(item: PermissionItem, rows: number): number {
  return Math.max(1, Math.min(16, rows - choicesOf(item).length - 13));
}

/** What the model asks for, page by page, and what can be answered: allowed is only what was shown to its end. */
export function PermissionCard({
  item,
  page: { lines, top, room, isRead },
  chosen,
  colour,
}: {
  item: PermissionItem;
  page: CardPage;
  chosen: number | null;
  colour: boolean;
}) {
  const dim = colour ? { dimColor: true } : {};
  const isLong = lines.length > room;
  return (
    <Box flexDirection="column" marginTop={1}>
      <Words bold={colour} {...(colour ? { color: 'yellow' } : {})}>
        {safe`┃ ${headlineOf(item)}`}
      </Words>
      <LinesView lines={lines.slice(top, top + room)} colour={colour} />
      {isLong && (
        <Words {...dim}>
          {safe`  Lines ${top + 1}–${Math.min(top + room, lines.length)} of ${lines.length} · PgDn/Ctrl-F next, PgUp/Ctrl-B back`}
        </Words>
      )}
      {!isRead && (
        <Words {...(colour ? { color: 'yellow' } : {})}>{safe`  Read to the end before you allow this.`}</Words>
      )}
      {item.proposal !== null && (
        <Words>{safe` A push is answered in the dashboard, which shows where it goes.`}</Words>
      )}
      {choicesOf(item).map((choice, at) =>
        isOffered(choice, isRead) ? (
          <Words key={at} {...(at === chosen && colour ? { color: 'cyan' } : {})}>
            {safe`${at === chosen ? safe`›` : safe` `} ${at + 1}. ${choice.label}`}
          </Words>
        ) : null,
      )}
      <Words {...dim}>{chosen === null ? safe`  ↑ ↓ choose an answer` : safe`  Enter answers`}</Words>
    </Box>
  );
}
