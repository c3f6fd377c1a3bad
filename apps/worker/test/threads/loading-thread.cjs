// A thread that takes as long to load as the test wants: [it began, it may continue, it has loaded].
const { parentPort, workerData: gate } = require('node:worker_threads');

Atomics.store(gate, 0, 1);
Atomics.wait(gate, 1, 0);
Atomics.store(gate, 2, 1);
parentPort.postMessage({ type: 'ready' });
// Kept until it is ended.
setInterval(() => undefined, 1_000);
