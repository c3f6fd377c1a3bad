/** How much longer the api waits than a worker may take: the worker gives up before, and says why. */
export const REPLY_GRACE_MS = 500;
