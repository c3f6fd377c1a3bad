// npm run structure: what each application is made of: its rooms, the circles among them, how long its files are; then
// the lists by hand, the old words and the unused code of the whole repository. `npm test` checks each figure.
import { listsByHand } from '../launcher/structure/hand-lists.mjs';
import { oldWordsFound } from '../launcher/structure/old-words.mjs';
import { MAX_FILES } from '../launcher/structure/rooms.mjs';
import {
  againstDirection,
  handWritten,
  lineFigures,
  PROJECTS,
  roomCircles,
  roomGraph,
  roomIn,
  sourcesOf,
} from '../launcher/structure/structure.mjs';
import { unusedCode } from '../launcher/structure/unused-code.mjs';

const MAX_LINES = 400;

for (const app of PROJECTS.filter((project) => project.startsWith('apps/'))) print(app);
printRepository();

/** @param {string} app */
function print(app) {
  const files = handWritten(app);
  const rooms = roomGraph(app);
  const { list } = lineFigures(files);
  const circles = roomCircles(rooms).map(({ circle }) => `${circle.length} rooms: ${circle.join(', ')}`);
  const lines = [
    `${app}: ${files.length} files in ${rooms.size} rooms`,
    ...wrapped(counts(files).map(([room, count]) => `${room} ${count}`)),
    ...listed(`rooms over ${MAX_FILES} files`, counts(files).flatMap(overfull)),
    ...listed('circles of rooms', circles),
    ...listed('imports against the direction', againstDirection(app, rooms)),
    `  lines a file: ${figures(sourcesOf(app))}; with tests ${figures(files)}`,
    ...listed(`files over ${MAX_LINES} lines`, list.filter((each) => each.lines > MAX_LINES).map(said)),
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function printRepository() {
  const { exports, filesAndDependencies } = unusedCode();
  const lines = [
    'the whole repository:',
    `  lines a file: ${figures(PROJECTS.flatMap(sourcesOf))}; with tests ${figures(PROJECTS.flatMap(handWritten))}`,
    ...listed('lists by hand', listsByHand()),
    ...listed('old words', oldWordsFound()),
    ...listed('unused exports', exports),
    ...listed('unused files and dependencies', filesAndDependencies),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** @param {string[]} files */
function figures(files) {
  const { p50, p90, max } = lineFigures(files);
  return `p50 ${p50}, p90 ${p90}, max ${max}`;
}

/**
 * @param {string[]} files
 * @returns {[room: string, count: number][]}
 */
function counts(files) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const room of files.map(roomIn)) sums.set(room, (sums.get(room) ?? 0) + 1);
  return [...sums].sort();
}

/** @param {[room: string, count: number]} counted */
function overfull([room, count]) {
  return count > MAX_FILES ? [`${room} ${count}`] : [];
}

/** @param {{ file: string, lines: number }} counted */
function said({ file, lines }) {
  return `${file} ${lines}`;
}

/**
 * @param {string} title
 * @param {string[]} items
 */
function listed(title, items) {
  return [`  ${title}: ${items.length || 'none'}`, ...items.map((item) => `    ${item}`)];
}

/** @param {string[]} items */
function wrapped(items, width = 110) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  for (const item of items) {
    if (line.length + item.length > width) {
      lines.push(line);
      line = '';
    }
    line += `${item}   `;
  }
  return [...lines, line].map((each) => `    ${each.trimEnd()}`);
}
