import { posix } from 'node:path';

/** @typedef {{ name: string, rooms: string[] | null, keepsApart?: boolean }} Layer */

/**
 * A room is a folder of an application's sources. In these folders each folder is a room, and so is what stands beside.
 * @type {Record<string, string[]>}
 */
const GROUPS = {
  'apps/api': ['core', 'mcp'],
  'apps/web': [
    'app',
    'components',
    'features',
    'features/composer',
    'features/files',
    'features/permission',
    'features/project',
    'features/session',
    'features/transcript',
    'lib',
  ],
  'apps/worker': [
    'gateway',
    'git-host',
    'harness',
    'harness/agent-sdk',
    'harness/claude-code',
    'sandbox',
    'state',
    'workspace',
  ],
};

/** Files that stand in no folder: the programs' entry points. */
export const TOP = '(top)';

/** A room with more files, tests included, is two rooms. */
export const MAX_FILES = 20;

/** The applications of which that is true already. */
export const SMALL_ROOMED = ['apps/api', 'apps/web', 'apps/worker'];

/**
 * The layers of each application whose rooms have a direction, lowest first. A room imports its own layer and those
 * below it, types included, and rooms of one layer have no circle. What a layer names stands for the rooms within it,
 * too, and `null` for all rooms that no other layer names. The nouns of a layer that keeps them apart do not import
 * each other: a layer above composes them.
 * @type {Record<string, Layer[]>}
 */
export const ROOMS = {
  'apps/api': [
    { name: 'core', rooms: ['core'] },
    { name: 'access', rooms: ['access'] },
    { name: 'nouns', rooms: null },
    { name: 'commands', rooms: ['command'] },
    { name: 'live', rooms: ['harness-route', 'live', 'mcp', 'websocket'] },
    { name: 'composition', rooms: ['server', 'startup', TOP] },
  ],
  'apps/worker': [
    { name: 'rooms', rooms: null },
    { name: 'composition', rooms: ['worker', TOP] },
  ],
  'apps/web': [
    { name: 'lib', rooms: ['lib'] },
    { name: 'components', rooms: ['components'] },
    {
      name: 'shared features',
      rooms: ['features/access', 'features/attachment', 'features/model', 'features/options'],
    },
    { name: 'features', rooms: null, keepsApart: true },
    { name: 'app', rooms: ['app', TOP] },
  ],
};

/**
 * The application and room of a path from the repository's root, with or without an ending; null outside
 * `apps/<name>/src`.
 * @param {string} path
 * @returns {{ app: string, room: string } | null}
 */
export function roomOf(path) {
  const [, app, within] = /^(apps\/[^/]+)\/src\/(.+)$/.exec(posix.normalize(path)) ?? [];
  if (app === undefined || within === undefined) return null;
  const [first, ...folders] = within.split('/').slice(0, -1);
  if (first === undefined) return { app, room: TOP };
  let room = first;
  while (GROUPS[app]?.includes(room) && folders.length > 0) room += `/${folders.shift()}`;
  return { app, room };
}

/**
 * Whether a room is what a layer names, or stands within it.
 * @param {string} room
 * @param {string} name
 */
export function isWithin(room, name) {
  return room === name || room.startsWith(`${name}/`);
}

/**
 * Why a room may not import another of its application; null when it may.
 * @param {string} app
 * @param {string} from
 * @param {string} to
 */
export function directionFault(app, from, to) {
  const layers = ROOMS[app];
  if (!layers || from === to) return null;
  const [own, other] = [layerOf(layers, from), layerOf(layers, to)];
  if (own < other)
    return `${from} must not import ${to}: the direction is ${layers.map(({ name }) => name).join(' → ')}, each importing what stands before it.`;
  const layer = layers[own];
  if (own === other && layer?.keepsApart && nounOf(from) !== nounOf(to))
    return `${from} must not import ${to}: ${layer.name} do not import each other; ${layers[own + 1]?.name} composes them, and what both need stands below.`;
  return null;
}

/**
 * `features/files` of its room `features/files/tree`.
 * @param {string} room
 */
function nounOf(room) {
  return room.split('/').slice(0, 2).join('/');
}

/**
 * @param {Layer[]} layers
 * @param {string} room
 */
function layerOf(layers, room) {
  const named = layers.findIndex(({ rooms }) => rooms?.some((name) => isWithin(room, name)));
  return named < 0 ? layers.findIndex(({ rooms }) => rooms === null) : named;
}
