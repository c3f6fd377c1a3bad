/** What the composition root gives to Nest that is no class of ours. */
export const CONFIG = Symbol('config');
export const LOG = Symbol('log');
export const BLOBS = Symbol('blobs');
export const MAILER = Symbol('mailer');
export const DATABASE = Symbol('database');
export const MESSAGING = Symbol('messaging');
