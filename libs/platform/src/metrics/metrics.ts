import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Everything that `/metrics` of this process answers. */
export const metricsRegistry = new Registry();
collectDefaultMetrics({ register: metricsRegistry, prefix: 'chirality_' });

const registers = [metricsRegistry];
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const TURN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

/**
 * The figures that more than one module touches, or that an operator's alerts name; labels are closed sets, never ids.
 */
export const metrics = {
  httpRequestSeconds: new Histogram({
    name: 'chirality_http_request_seconds',
    help: 'Time to answer an HTTP request, by route pattern',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SHORT_SECONDS,
    registers,
  }),
  socketsOpen: new Gauge({
    name: 'chirality_sockets_open',
    help: 'Socket.IO connections and event streams open now',
    labelNames: ['transport'] as const,
    registers,
  }),
  eventsDelivered: new Counter({
    name: 'chirality_events_delivered_total',
    help: 'Events sent to clients',
    labelNames: ['transport'] as const,
    registers,
  }),
  clientResyncs: new Counter({
    name: 'chirality_client_resyncs_total',
    help: 'Clients told to read again because they were too slow',
    registers,
  }),
  turnsAccepted: new Counter({
    name: 'chirality_turns_accepted_total',
    help: 'Turns accepted',
    labelNames: ['kind'] as const,
    registers,
  }),
  turnsEnded: new Counter({
    name: 'chirality_turns_ended_total',
    help: 'Turns that reached a final status',
    labelNames: ['status', 'code'] as const,
    registers,
  }),
  turnSeconds: new Histogram({
    name: 'chirality_turn_seconds',
    help: 'Time from accepted to final',
    labelNames: ['status'] as const,
    buckets: TURN_SECONDS,
    registers,
  }),
  turnQueueSeconds: new Histogram({
    name: 'chirality_turn_queue_seconds',
    help: 'Time a turn waited for a worker',
    buckets: TURN_SECONDS,
    registers,
  }),
  turnFirstTokenSeconds: new Histogram({
    name: 'chirality_turn_first_token_seconds',
    help: 'Time from claimed to first text, by how the process was had',
    labelNames: ['process'] as const,
    buckets: TURN_SECONDS,
    registers,
  }),
  turnsRunning: new Gauge({ name: 'chirality_turns_running', help: 'Turns that this worker runs now', registers }),
  workerSlots: new Gauge({ name: 'chirality_worker_slots', help: 'Turns that this worker can run at once', registers }),
  processesParked: new Gauge({
    name: 'chirality_processes_parked',
    help: 'Processes waiting for their session’s next turn',
    registers,
  }),
  turnProcesses: new Counter({
    name: 'chirality_turn_processes_total',
    help: 'Turns by how their process was had: started cold, started ahead, or parked since the last turn',
    labelNames: ['process'] as const,
    registers,
  }),
  processesStartedAhead: new Counter({
    name: 'chirality_processes_asked_ahead_total',
    help: 'Processes asked for ahead of a turn, by what became of it',
    labelNames: ['outcome'] as const,
    registers,
  }),
  waitingProcessesEnded: new Counter({
    name: 'chirality_waiting_processes_ended_total',
    help: 'Processes that ended while they waited for a turn',
    labelNames: ['reason', 'process'] as const,
    registers,
  }),
  processesRetuned: new Counter({
    name: 'chirality_processes_retuned_total',
    help: 'Waiting processes that were switched to another model or permission mode for their turn',
    labelNames: ['what'] as const,
    registers,
  }),
  eventLogAwaySeconds: new Gauge({
    name: 'chirality_event_log_away_seconds',
    help: 'For how long events could not be committed; 0 while they are',
    registers,
  }),
  eventBufferBytes: new Gauge({
    name: 'chirality_event_buffer_bytes',
    help: 'Bytes of events waiting to be committed',
    registers,
  }),
  turnsLost: new Counter({
    name: 'chirality_turns_lost_total',
    help: 'Turns settled for a worker that died',
    registers,
  }),
  sandboxFailures: new Counter({
    name: 'chirality_sandbox_failures_total',
    help: 'Sandboxes that could not be started or proven',
    registers,
  }),
};
