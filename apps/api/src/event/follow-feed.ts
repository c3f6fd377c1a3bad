import type { Envelope } from '@chirality/contracts';
import type { EventSource, SessionFeed } from './session-feed';

export interface Follower {
  /** Hands one page over; settles once the receiver has room for more. */
  write(events: Envelope[]): Promise<void>;
  /**
   * Called when the receiver has seen everything through `feed.through`: from here on it receives live events. Must
   * act at once.
   */
  goLive(): void;
  readonly closed: boolean;
}

const PAGE_EVENTS = 500;
const PAGE_BYTES = 1024 * 1024;
const LAG_MS = 20;

/**
 * Brings a receiver from its cursor to the present, page by page from the log, then hands it over to the live feed
 * without a gap or a repeat. Events it reads that the feed has not heard of are offered to the feed on the way.
 */
export async function followFeed(
  feed: SessionFeed,
  source: EventSource,
  after: number,
  follower: Follower,
): Promise<void> {
  let cursor = after;
  while (!follower.closed) {
    if (cursor === feed.through) return follower.goLive();
    if (cursor > feed.through) {
      await feed.catchUp();
      if (cursor > feed.through) await new Promise((resolve) => setTimeout(resolve, LAG_MS));
      continue;
    }
    const page = await source.readEvents(feed.sessionId, { after: cursor, limit: PAGE_EVENTS });
    feed.offer(page);
    for (const part of pagesBySize(page)) {
      if (follower.closed) return;
      await follower.write(part);
      cursor = part[part.length - 1]?.id ?? cursor;
    }
  }
}

/** Splits so that one message stays near a mebibyte: a page of large payloads must not block what waits behind it. */
export function pagesBySize(events: Envelope[], limitBytes = PAGE_BYTES): Envelope[][] {
  const pages: Envelope[][] = [];
  let page: Envelope[] = [];
  let size = 0;
  for (const event of events) {
    const bytes = JSON.stringify(event.payload).length;
    if (page.length > 0 && size + bytes > limitBytes) {
      pages.push(page);
      page = [];
      size = 0;
    }
    page.push(event);
    size += bytes;
  }
  return page.length > 0 ? [...pages, page] : pages;
}
