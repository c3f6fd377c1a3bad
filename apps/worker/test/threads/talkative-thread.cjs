// A thread that says so many messages of that many characters before it is asked for anything.
const { parentPort, workerData } = require('node:worker_threads');

const { messages, characters } = workerData;

parentPort.postMessage({ type: 'ready' });
for (let n = 0; n < messages; n += 1)
  parentPort.postMessage({ type: 'sdk_message', message: { type: 'unheard_of', n, text: 'x'.repeat(characters) } });
parentPort.on('message', ({ type }) => type === 'ping' && parentPort.postMessage({ type: 'pong' }));
