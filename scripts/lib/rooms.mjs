import { posix } from 'node:path';

/** A room is a folder of an application's sources; in these folders each folder is a room. */
const GROUPS = { 'apps/api': ['core'], 'apps/web': ['features', 'components'] };

/** Files that stand in no folder: the programs' entry points. */
export const TOP = '(top)';

/** A room with more files, tests included, is two rooms. */
export const MAX_FILES = 20;

/** The applications of which that is true already. */
export const SMALL_ROOMED = ['apps/api'];

/**
 * The layers of each application whose rooms have a direction, lowest first. A room imports its own layer and those
 * below
 * it, types included, and rooms of one layer have no circle. `null` stands for all rooms that no other layer names.
 */
export const ROOMS = {
  'apps/api': [
    { name: 'core', rooms: ['core', 'core/http', 'core/problem'] },
    { name: 'access', rooms: ['access'] },
    { name: 'nouns', rooms: null },
    { name: 'live', rooms: ['live'] },
    { name: 'composition', rooms: ['server', 'startup', TOP] },
  ],
  'apps/worker': [
    { name: 'rooms', rooms: null },
    { name: 'composition', rooms: ['worker', TOP] },
  ],
};

/**
 * The application and room of a path from the repository's root, with or without an ending; null outside
 * `apps/<name>/src`.
 */
export function roomOf(path) {
  const [, app, within] = /^(apps\/[^/]+)\/src\/(.+)$/.exec(posix.normalize(path)) ?? [];
  if (app === undefined) return null;
  const folders = within.split('/').slice(0, -1);
  const depth = GROUPS[app]?.includes(folders[0]) ? 2 : 1;
  return { app, room: folders.slice(0, depth).join('/') || TOP };
}

/** Why a room may not import another of its application; null when it may. */
export function directionFault(app, from, to) {
  const layers = ROOMS[app];
  if (!layers || from === to || layerOf(layers, from) >= layerOf(layers, to)) return null;
  return `${from} must not import ${to}: the direction is ${layers.map(({ name }) => name).join(' → ')}, each importing what stands before it.`;
}

function layerOf(layers, room) {
  const named = layers.findIndex(({ rooms }) => rooms?.includes(room));
  return named < 0 ? layers.findIndex(({ rooms }) => rooms === null) : named;
}
