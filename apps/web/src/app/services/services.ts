import { AuthKeeper, SignedOutError } from '../../features/access/auth-keeper';
import { getAuthOptions, logout, refresh } from '../../features/auth/auth.api';
import { sendTurn } from '../../features/composer/composer.api';
import { removeAttachment, uploadAttachment } from '../../features/attachment/attachment.api';
import { AttachedFiles } from '../../lib/attachment/attached-files';
import { browserFileStore } from '../../lib/attachment/file-store';
import { fittedImage } from '../../lib/attachment/fitted-image';
import { HeldFiles } from '../../lib/attachment/held-files';
import { Outbox } from '../../lib/message/outbox';
import { answerPermission } from '../../features/permission/request/permission.api';
import { AnswerBook } from '../../features/permission/request/answer-book';
import { AnswerDrafts } from '../../lib/permission/answer-drafts';
import { SessionNotices } from '../../lib/notices/session-notices';
import { pullRequestChanged } from '../../features/pull-request/pull-request.api';
import { applySessionChanges } from '../../features/session/apply-session-changes';
import { getEarlierTurns, getTranscript } from '../../features/transcript/transcript.api';
import { TranscriptStores } from '../../lib/transcript/transcript-stores';
import { browserClock } from '../../lib/state/clock';
import { signRequestsWith } from '../../lib/http/api-client';
import { serverNow } from '@chirality/client';
import { EventStreamPort } from '../../lib/live/event-stream-port';
import { FallbackPort } from '../../lib/live/fallback-port';
import { LiveConnection } from '../../lib/live/live-connection';
import { socketIoPort } from '../../lib/live/socket-io-port';
import { paintSoon } from '../../lib/page/paint-soon';
import { Drafts } from '../../lib/message/drafts';
import { LiveDrafts } from '../../lib/message/live-drafts';
import { randomId } from '../../lib/state/random-id';
import { localStore, tabStore } from '../../lib/state/storage';
import { connectWhileSignedIn } from './connect-while-signed-in';
import { queryClient } from './query-client';
import { rulesChanged } from '../../features/permission/rule/rule.api';
import { sessionsChanged } from '../../features/session/session.api';

/** This tab: a reload keeps it, another tab has another. */
function ownClientId(): string {
  const known = tabStore.get('chirality.client');
  if (known !== null) return known;
  const made = `cli_0${randomId().slice(1)}`;
  tabStore.set('chirality.client', made);
  return made;
}

const clientId = ownClientId();
/** Set while this browser is signed in, so that the sign-in page asks for no renewal that can only fail. */
const SIGNED_IN_KEY = 'chirality.signed-in';

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('chirality.auth');

export const auth = new AuthKeeper({
  clock: browserClock,
  serverNow,
  refresh,
  logout,
  maySignIn: async () => localStore.get(SIGNED_IN_KEY) !== null || (await getAuthOptions()).signedIn,
  remember: (isSignedIn) => (isSignedIn ? localStore.set(SIGNED_IN_KEY, '1') : localStore.remove(SIGNED_IN_KEY)),
  announce: (change) => channel?.postMessage(change),
});

const port = new FallbackPort(socketIoPort(clientId), new EventStreamPort(clientId), browserClock);

export const live = new LiveConnection({
  socket: port,
  transport: port.transport,
  clock: browserClock,
  tokens: auth,
  isSignedOut: (error) => error instanceof SignedOutError,
});

export const transcripts = new TranscriptStores({
  live,
  source: { newest: getTranscript, earlier: getEarlierTurns },
  clock: browserClock,
  schedule: paintSoon,
});

export const notices = new SessionNotices(tabStore);

let ownBook: { userId: string; book: AnswerBook } | null = null;

/** The answers of the person who is signed in. */
export function answerBookOf(userId: string): AnswerBook {
  if (ownBook?.userId === userId) return ownBook.book;
  const book = new AnswerBook({
    myId: userId,
    drafts: new AnswerDrafts(localStore, userId, Date.now),
    notices,
    send: answerPermission,
    onGiven: (sessionId) => void rulesChanged(queryClient, sessionId),
  });
  ownBook = { userId, book };
  return book;
}

let ownOutbox: { userId: string; outbox: Outbox } | null = null;

/** The outbox of the person who is signed in; another person's messages stay where they are. */
export function outboxOf(userId: string): Outbox {
  if (ownOutbox?.userId === userId) return ownOutbox.outbox;
  ownOutbox?.outbox.close();
  const outbox = new Outbox({
    store: localStore,
    prefix: `chirality.outbox.${userId}.`,
    clock: browserClock,
    newKey: randomId,
    send: (entry) => sendTurn(entry, clientId),
  });
  ownOutbox = { userId, outbox };
  return outbox;
}

const attachedFiles = new Map<string, AttachedFiles>();

/** What a person attached to their next message in a session; one that is being uploaded is, whatever is shown. */
export function attachedFilesOf(userId: string, sessionId: string): AttachedFiles {
  const storeKey = `chirality.attached.${userId}.${sessionId}`;
  const known = attachedFiles.get(storeKey);
  if (known !== undefined) return known;
  const files = new AttachedFiles({
    store: localStore,
    storeKey,
    prepare: fittedImage,
    upload: (file, options) => uploadAttachment(sessionId, file, options),
    remove: ({ id }) => removeAttachment({ sessionId, attachmentId: id }),
  });
  attachedFiles.set(storeKey, files);
  return files;
}

const fileStore = browserFileStore(Date.now);
const heldFiles = new Map<string, HeldFiles>();

/** What a person attached to a message that starts a session. */
export function heldFilesOf(userId: string, place: string): HeldFiles {
  const key = `${userId}.${place}`;
  const known = heldFiles.get(key);
  if (known !== undefined) return known;
  const files = new HeldFiles({
    store: fileStore,
    place: key,
    now: Date.now,
    prepare: fittedImage,
    upload: uploadAttachment,
  });
  heldFiles.set(key, files);
  return files;
}

// A copy of a tab has the name of its original.
export const drafts = new LiveDrafts((userId) => new Drafts(localStore, userId, clientId, Date.now));

/** How often lists are read again while no change of them can be pushed. */
const LISTS_WITHOUT_CONNECTION_MS = 8_000;

function wake(): void {
  live.wake();
  ownOutbox?.outbox.wake();
}

/** Connects the services with each other and with the page. Called once. */
export function startServices(): void {
  signRequestsWith(auth);
  auth.onToken((token) => live.useToken(token));
  connectWhileSignedIn(auth.state, live);
  auth.state.subscribe(() => {
    const { status, user } = auth.state.get();
    // What was on its way when the page was left is resumed here, whichever page this is.
    if (user !== null) outboxOf(user.id);
    if (status !== 'signed-out') return;
    ownOutbox?.outbox.close();
    ownOutbox = null;
    ownBook = null;
    notices.clear();
    transcripts.clear();
    queryClient.clear();
  });
  live.onSessions((message) => {
    applySessionChanges(queryClient, message);
    for (const id of message.pullRequests ?? []) pullRequestChanged(queryClient, id);
  });
  live.status.subscribe(() => {
    // Changes made while the connection was away were not announced.
    if (live.status.get() === 'online') void sessionsChanged(queryClient);
  });
  window.setInterval(() => {
    if (live.status.get() === 'reconnecting' || live.transport.get() !== 'websocket') void sessionsChanged(queryClient);
  }, LISTS_WITHOUT_CONNECTION_MS);
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'signed-in' || data === 'signed-out') auth.heard(data);
  });
  window.addEventListener('online', wake);
  window.addEventListener('beforeunload', (event) => {
    // Drafts outlive their fields, so this is asked wherever the page is left from.
    drafts.keep();
    const isUploading = [...attachedFiles.values()].some((files) => files.isUploading);
    const isHolding = [...heldFiles.values()].some((files) => files.wouldBeLost);
    const hasUnsent = ownOutbox !== null && ownOutbox.outbox.unkept.length > 0;
    if (drafts.hasUnkept || isUploading || isHolding || hasUnsent) event.preventDefault();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake();
  });
  void auth.start();
}
