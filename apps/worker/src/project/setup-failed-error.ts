/** A project's set-up script did not end well; the message is for people, and masked. */
export class SetupFailedError extends Error {}
