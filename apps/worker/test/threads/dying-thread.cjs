// A thread that has its program ended, and throws when that is done.
const { parentPort } = require('node:worker_threads');

parentPort.postMessage({ type: 'ready' });
parentPort.postMessage({ type: 'kill' });
parentPort.on('message', ({ type }) => {
  if (type === 'exit') throw new Error('on purpose');
});
